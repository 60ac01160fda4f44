/** The packages of npm that were fetched most in November 2026. */
export const NPM = `
semver ansi-styles debug minimatch strip-ansi chalk supports-color string-width ansi-regex ms lru-cache brace-expansion tslib emoji-regex wrap-ansi type-fest
commander glob color-name color-convert source-map @types/node has-flag readable-stream picomatch ajv safe-buffer escape-string-regexp uuid yallist signal-exit
react-is is-fullwidth-code-point which p-limit json-schema-traverse find-up locate-path p-locate mime-db eslint-visitor-keys telecom-mas-agent minipass
glob-parent iconv-lite string_decoder js-yaml isarray mime-types @babel/types @babel/code-frame globals path-key yargs-parser ws resolve get-stream argparse
@babel/parser yargs pretty-format ignore undici-types acorn isexe cross-spawn postcss balanced-match resolve-from @rollup/rollup-linux-x64-musl fs-extra
camelcase cliui @jridgewell/trace-mapping punycode @babel/helper-validator-identifier @babel/generator is-stream entities agent-base estraverse
strip-json-comments shebang-regex shebang-command json5 @babel/traverse webidl-conversions path-exists path-to-regexp whatwg-url https-proxy-agent onetime
@babel/core form-data tr46 @babel/template execa typescript eslint-scope inherits convert-source-map rimraf negotiator qs get-intrinsic
@babel/helper-module-imports @babel/runtime statuses universalify fast-deep-equal minimist picocolors @babel/helper-module-transforms chokidar
@babel/compat-data @babel/helpers has-symbols @jest/types esbuild @typescript-eslint/types @babel/helper-compilation-targets function-bind caniuse-lite
npm-run-path js-tokens graceful-fs @babel/helper-string-parser is-number bytes @jridgewell/sourcemap-codec readdirp @types/estree mimic-fn slash
@typescript-eslint/typescript-estree y18n browserslist electron-to-chromium kind-of @typescript-eslint/visitor-keys yaml buffer cookie jsesc lodash braces
fill-range @babel/helper-plugin-utils hasown ini node-fetch escalade @jridgewell/gen-mapping human-signals mkdirp gopd http-errors micromatch
@typescript-eslint/scope-manager strip-bom es-object-atoms concat-map make-dir is-glob es-define-property nanoid @smithy/util-utf8 es-errors to-regex-range
@babel/helper-validator-option call-bind-apply-helpers schema-utils @esbuild/linux-x64 update-browserslist-db path-scurry yocto-queue node-releases ci-info
dunder-proto math-intrinsics mime get-proto @jridgewell/resolve-uri has-tostringtag uri-js magic-string object-inspect fast-glob dotenv pify zod @aws-sdk/types
@typescript-eslint/utils @smithy/util-buffer-from http-proxy-agent is-extglob strip-final-newline parse-json espree once source-map-support content-disposition
jest-util es-set-tostringtag is-wsl wrappy @sinclair/typebox safer-buffer normalize-path side-channel is-core-module eslint cosmiconfig util-deprecate axios
jsonfile @img/sharp-linuxmusl-x64 ansi-escapes @img/sharp-libvips-linuxmusl-x64 encodeurl jest-worker @smithy/is-array-buffer depd jackspeak scheduler doctrine
@smithy/types postcss-selector-parser lightningcss-linux-x64-musl flat-cache @types/yargs @unrs/resolver-binding-linux-x64-musl callsites react delayed-stream
@opentelemetry/core is-arrayish @typescript-eslint/parser asynckit require-from-string combined-stream file-entry-cache source-map-js is-docker @jest/schemas
object-assign eastasianwidth parse5 arg @tailwindcss/oxide-linux-x64-musl estree-walker fastq send get-caller-file finalhandler esprima import-fresh path-parse
raw-body range-parser @types/json-schema optionator anymatch esutils type-check restore-cursor call-bound diff csstype write-file-atomic @types/react
setprototypeof path-type keyv supports-preserve-symlinks-flag async foreground-child on-finished levn prelude-ls vary fast-json-stable-stringify globby
cli-cursor @typescript-eslint/eslint-plugin slice-ansi base64-js rxjs react-dom @nodelib/fs.stat merge-stream eventemitter3 detect-libc serve-static
lines-and-columns require-directory @typescript-eslint/type-utils rollup reusify tough-cookie sprintf-js @babel/helper-globals body-parser follow-redirects jiti
imurmurhash hosted-git-info json-parse-even-better-errors open is-plain-obj parent-module flatted @isaacs/cliui call-bind core-util-is @nodelib/fs.walk
@nodelib/fs.scandir esquery @eslint/eslintrc fast-levenshtein gensync type-is ieee754 accepts @eslint/js prettier @radix-ui/react-slot side-channel-weakmap
side-channel-map side-channel-list istanbul-lib-instrument aria-query media-typer chownr ipaddr.js run-parallel which-typed-array express
baseline-browser-mapping cookie-signature pkg-dir esrecurse fdir queue-microtask fresh natural-compare tapable deep-is enhanced-resolve proxy-from-env
jest-message-util acorn-jsx indent-string merge2 retry acorn-walk json-buffer ts-api-utils binary-extensions ajv-keywords log-symbols fs.realpath inflight
path-is-absolute is-regex lodash.merge @eslint-community/eslint-utils domutils p-try @opentelemetry/semantic-conventions es-abstract merge-descriptors
buffer-from tinyglobby has-property-descriptors jest-diff @aws-sdk/util-endpoints is-callable domhandler is-unicode-supported dom-serializer p-map
is-binary-path toidentifier package-json-from-dist define-data-property @eslint-community/regexpp set-function-length tsconfig-paths word-wrap ajv-formats
json-stable-stringify-without-jsonify for-each define-properties is-typed-array error-ex vite object.assign @pkgjs/parseargs end-of-stream
@humanwhocodes/module-importer extend-shallow postcss-value-parser available-typed-arrays object-keys @humanwhocodes/retry safe-regex-test whatwg-mimetype
@radix-ui/react-primitive fast-xml-parser jest-regex-util @babel/plugin-syntax-jsx define-property escape-html pump @jridgewell/remapping
@opentelemetry/resources mdn-data @rollup/rollup-linux-x64-gnu tar unpipe deepmerge es-module-lexer mute-stream is-generator-function ee-first
@babel/helper-annotate-as-pure regexp.prototype.flags events is-date-object cjs-module-lexer @types/babel__traverse content-type parseurl tmp etag is-symbol
is-plain-object @smithy/protocol-http jest-matcher-utils css-tree string.prototype.trimend @aws-sdk/middleware-user-agent htmlparser2 possible-typed-array-names
@aws-sdk/util-user-agent-node internal-slot @types/babel__core process-nextick-args @babel/plugin-syntax-typescript is-string ora which-boxed-primitive
@types/babel__generator @opentelemetry/api-logs @aws-sdk/core regenerator-runtime is-shared-array-buffer jest-mock string.prototype.trimstart
@sinonjs/fake-timers loose-envify pathe domelementtype is-number-object tar-stream bl @types/babel__template is-bigint @typescript-eslint/tsconfig-utils
es-to-primitive fast-uri @eslint/core @typescript-eslint/project-service has-proto figures @types/react-dom @aws-sdk/credential-provider-node
@aws-sdk/util-user-agent-browser @aws-sdk/middleware-host-header istanbul-lib-coverage @aws-sdk/middleware-logger has-bigints @aws-sdk/credential-provider-ini
pako is-boolean-object normalize-package-data strip-indent forwarded sax @aws-sdk/token-providers proxy-addr is-weakref clone get-symbol-description
loader-utils dom-accessibility-api @aws-sdk/credential-provider-web-identity @aws-sdk/credential-provider-env @aws-sdk/credential-provider-process
@aws-sdk/credential-provider-sso pirates @aws-sdk/middleware-recursion-detection is-array-buffer function.prototype.name colorette minizlib unbox-primitive
typed-array-buffer terser array-union tailwindcss @types/unist @babel/helper-replace-supers array-buffer-byte-length functions-have-names string.prototype.trim
xtend isobject @smithy/property-provider undici globalthis expect @babel/plugin-syntax-import-attributes css-select @babel/helper-create-class-features-plugin
@babel/helper-member-expression-to-functions define-lazy-prop jest-haste-map extend on-headers get-tsconfig node-addon-api strnum clsx serialize-javascript
safe-array-concat lilconfig deep-extend pnpm is-extendable @jest/transform data-uri-to-buffer core-js typed-array-byte-offset typed-array-byte-length
@aws-sdk/region-config-resolver nopt escodegen @bcoe/v8-coverage istanbul-reports kleur jest-get-type typed-array-length cli-width
@types/express-serve-static-core istanbul-lib-source-maps jsdom mimic-response is-path-inside @eslint/plugin-kit arraybuffer.prototype.slice
@babel/helper-optimise-call-expression @types/send type-detect long eslint-plugin-react-hooks @jest/fake-timers set-function-name prop-types is-negative-zero
html-escaper jws whatwg-encoding @eslint/config-array @jest/environment rc xml-name-validator which-collection @sinonjs/commons cssesc @swc/helpers jwa is-map
@eslint/object-schema @aws-sdk/credential-provider-http is-set is-weakset @babel/plugin-transform-modules-commonjs @types/istanbul-reports bn.js
html-encoding-sniffer istanbul-lib-report dedent is-weakmap @types/express webpack-sources @jest/test-result @smithy/node-http-handler test-exclude
@jest/console @vitest/utils @babel/helper-skip-transparent-expression-wrappers tinyexec @smithy/util-middleware cssstyle date-fns data-urls cli-spinners
@smithy/smithy-client is-descriptor destroy data-view-byte-length data-view-buffer data-view-byte-offset array-includes @smithy/fetch-http-handler decamelize
object.values cssom is-data-view @smithy/shared-ini-file-loader @eslint/config-helpers @smithy/node-config-provider @opentelemetry/instrumentation dir-glob
compression split2 @smithy/abort-controller read-pkg which-builtin-type @vitest/pretty-format saxes chai @humanfs/node @octokit/types reflect.getprototypeof
compressible @smithy/querystring-builder fs-minipass neo-async diff-sequences css-what jest-validate xmlbuilder @radix-ui/react-context @humanfs/core decimal.js
is-finalizationregistry @types/connect socks-proxy-agent w3c-xmlserializer @smithy/util-stream @smithy/middleware-endpoint babel-jest is-async-function
array.prototype.flat @tootallnate/once abbrev es-shim-unscopables utils-merge @colors/colors methods @smithy/util-hex-encoding @aws-sdk/nested-clients
@smithy/util-base64 @smithy/util-uri-escape @babel/plugin-syntax-object-rest-spread @istanbuljs/schema babel-preset-jest babel-plugin-jest-hoist
@smithy/url-parser @ungap/structured-clone @types/serve-static is-interactive babel-plugin-istanbul stop-iteration-iterator @types/yargs-parser ip-address
array.prototype.flatmap jest-environment-node @alloc/quick-lru jest-resolve @opentelemetry/sdk-trace-base array-flatten @smithy/middleware-serde leven
@smithy/querystring-parser @smithy/util-retry @babel/helper-define-polyfill-provider @smithy/middleware-stack @vitest/spy @babel/plugin-syntax-class-properties
jest-watcher autoprefixer @babel/plugin-transform-classes use-sync-external-store jest-snapshot inquirer @types/ws @aws-sdk/xml-builder protobufjs
object.fromentries requires-port @smithy/signature-v4 stack-utils buffer-crc32 widest-line @types/qs @babel/plugin-syntax-optional-chaining shell-quote
@babel/plugin-syntax-async-generators @babel/plugin-syntax-nullish-coalescing-operator @babel/plugin-transform-block-scoping
@babel/plugin-syntax-optional-catch-binding @types/istanbul-lib-coverage @babel/plugin-transform-destructuring @babel/plugin-syntax-top-level-await
@babel/plugin-syntax-numeric-separator ast-types @babel/plugin-syntax-json-strings @octokit/openapi-types chardet jest-docblock jest-config @vitest/expect
nth-check socks @floating-ui/dom @jest/source-map @babel/plugin-transform-spread @babel/plugin-transform-computed-properties ansi-colors @jest/expect-utils
find-cache-dir @jest/test-sequencer @types/istanbul-lib-report set-proto @smithy/middleware-retry @babel/plugin-syntax-logical-assignment-operators jose
jest-runtime @jridgewell/source-map @jest/globals @babel/plugin-transform-parameters object-hash spdx-expression-parse @floating-ui/core @jest/reporters
xmlchars @smithy/service-error-classification @smithy/core @types/stack-utils @babel/helper-create-regexp-features-plugin through webpack own-keys string-length
@babel/plugin-syntax-import-meta @babel/plugin-transform-arrow-functions randombytes @babel/preset-env jest-each ts-node @smithy/util-defaults-mode-node
@smithy/util-defaults-mode-browser @babel/plugin-transform-async-to-generator jest-runner dequal @babel/plugin-transform-for-of process eslint-plugin-import
@babel/plugin-transform-shorthand-properties spdx-license-ids @aws-crypto/util @img/sharp-linux-x64 watchpack @babel/plugin-transform-function-name
@babel/plugin-transform-literals env-paths @img/sharp-libvips-linux-x64 redent @babel/plugin-transform-regenerator symbol-tree jest-leak-detector
assertion-error @babel/plugin-transform-template-literals safe-push-apply psl resolve-pkg-maps through2 jest regjsparser @jest/core graphemer sisteransi
import-local lodash.isplainobject @babel/helper-wrap-function ssri eslint-module-utils @types/body-parser @types/json5 @cspotcode/source-map-support jest-cli
@smithy/config-resolver @babel/plugin-transform-named-capturing-groups-regex terser-webpack-plugin is-buffer @smithy/credential-provider-imds jest-changed-files
babel-plugin-polyfill-corejs3 jest-resolve-dependencies tinyrainbow react-refresh make-error clean-stack cli-boxes @aws-crypto/sha256-js prompts char-regex
@babel/helper-remap-async-to-generator @smithy/hash-node text-table @aws-sdk/client-sso smart-buffer @babel/plugin-transform-unicode-regex
eslint-import-resolver-node @smithy/middleware-content-length @smithy/invalid-dependency boxen gaxios @babel/plugin-transform-sticky-regex bluebird
get-package-type event-target-shim object.entries resolve-cwd @babel/plugin-syntax-bigint @babel/plugin-transform-block-scoped-functions
@babel/plugin-transform-object-super @types/lodash util @types/range-parser is-potential-custom-element-name @babel/plugin-transform-property-literals
@babel/plugin-transform-member-expression-literals core-js-compat abort-controller spdx-exceptions @smithy/util-body-length-browser eslint-config-prettier
defaults @babel/plugin-transform-modules-systemjs async-function emittery @testing-library/dom tar-fs v8-to-istanbul
@babel/plugin-transform-exponentiation-operator node-int64 @babel/plugin-proposal-private-property-in-object @babel/plugin-transform-dotall-regex fraction.js
dayjs @smithy/util-endpoints sharp detect-newline @types/uuid @babel/plugin-syntax-private-property-in-object cors cli-truncate jest-circus
@babel/plugin-syntax-import-assertions normalize-url buffer-equal-constant-time is-promise @ampproject/remapping rfdc nwsapi registry-auth-token gcp-metadata
@emnapi/runtime boolbase proc-log @istanbuljs/load-nyc-config wordwrap std-env fb-watchman uglify-js http-cache-semantics
@babel/plugin-syntax-class-static-block string.prototype.matchall @babel/plugin-transform-typeof-symbol @babel/plugin-transform-optional-chaining @types/jest
file-type @babel/plugin-transform-modules-amd min-indent regexpu-core @types/ms arrify @babel/plugin-transform-duplicate-keys
@babel/plugin-transform-modules-umd @babel/plugin-transform-new-target spdx-correct typescript-eslint cacache @rollup/pluginutils glob-to-regexp
@smithy/util-config-provider color @types/http-errors pure-rand eslint-plugin-react @babel/plugin-transform-reserved-words yn ecdsa-sig-formatter
@opentelemetry/api bser set-blocking wcwidth @adobe/css-tools ansi-align @sindresorhus/is @babel/plugin-transform-class-properties @smithy/util-body-length-node
decompress-response playwright-core url-parse @floating-ui/react-dom read-pkg-up walker @babel/plugin-transform-nullish-coalescing-operator @types/eslint
@babel/plugin-transform-unicode-escapes co aggregate-error google-auth-library tmpl babel-preset-current-node-syntax @babel/plugin-transform-private-methods
@types/mime @babel/plugin-transform-async-generator-functions web-streams-polyfill @aws-crypto/supports-web-crypto is-obj
@babel/plugin-transform-react-jsx-source any-promise @aws-crypto/sha256-browser @vitest/snapshot jsx-ast-utils @babel/plugin-transform-react-jsx-self
@tsconfig/node10 makeerror @babel/plugin-bugfix-v8-spread-parameters-in-optional-chaining @babel/plugin-transform-typescript postcss-load-config deep-eql
@babel/preset-modules @tsconfig/node14 validate-npm-package-license babel-plugin-polyfill-regenerator run-async @protobufjs/utf8 @protobufjs/path
@protobufjs/pool @protobufjs/eventemitter lodash.debounce @protobufjs/codegen querystringify @protobufjs/base64 @babel/plugin-transform-object-rest-spread
generator-function @tsconfig/node16 @testing-library/jest-dom color-string @babel/plugin-transform-logical-assignment-operators
@babel/plugin-transform-private-property-in-object vitest babel-plugin-polyfill-corejs2 jsonwebtoken loader-runner registry-url setimmediate
@babel/plugin-bugfix-safari-id-destructuring-collision-in-function-expression @babel/plugin-transform-numeric-separator jsonc-parser
array.prototype.findlastindex @babel/plugin-transform-class-static-block @babel/plugin-transform-optional-catch-binding es-iterator-helpers @tsconfig/node12
@humanwhocodes/config-array create-require playwright @vitest/runner @webassemblyjs/ast @floating-ui/utils tiny-invariant resolve.exports axe-core
regenerate-unicode-properties unicode-match-property-value-ecmascript @radix-ui/react-compose-refs @webassemblyjs/helper-wasm-bytecode safe-stable-stringify
loupe @types/prop-types @protobufjs/float @protobufjs/aspromise @protobufjs/inquire @protobufjs/fetch @jest/expect check-error @standard-schema/spec
@csstools/css-tokenizer object.groupby thenify @babel/highlight @webassemblyjs/helper-api-error @webassemblyjs/wast-printer @csstools/css-parser-algorithms
@vitest/mocker quick-lru @rolldown/pluginutils collect-v8-coverage @webassemblyjs/wasm-gen @babel/plugin-transform-export-namespace-from
@webassemblyjs/wasm-parser @webassemblyjs/wasm-edit @webassemblyjs/helper-buffer lodash.once @webassemblyjs/wasm-opt @webassemblyjs/helper-wasm-section jsbn
@webassemblyjs/leb128 @webassemblyjs/ieee754 @webassemblyjs/utf8 is-arguments pathval gtoken @next/env mz @napi-rs/wasm-runtime @babel/preset-typescript
@webassemblyjs/floating-point-hex-parser unique-slug unist-util-is unique-filename immutable jest-pnp-resolver lower-case dot-prop meow @radix-ui/primitive
@humanwhocodes/object-schema log-update unicode-property-aliases-ecmascript no-case @types/chai d3-array thenify-all is-generator-fn he lodash.isstring
json-stringify-safe @types/graceful-fs v8-compile-cache-lib unicode-canonical-property-names-ecmascript unist-util-visit-parents
eslint-import-resolver-typescript @types/semver @babel/plugin-transform-json-strings @babel/plugin-transform-unicode-sets-regex
@babel/plugin-transform-unicode-property-regex bignumber.js @grpc/proto-loader tunnel-agent is-typedarray arch next listr2 array.prototype.tosorted
chrome-trace-event lodash.memoize unist-util-visit @types/aria-query lowercase-keys unicode-match-property-ecmascript @graphql-tools/utils import-in-the-middle
regenerate yauzl tldts-core progress @testing-library/react lodash.camelcase @babel/plugin-transform-dynamic-import handlebars xml2js lightningcss
iterator.prototype axobject-query asap @npmcli/fs node-forge lodash.isboolean @radix-ui/react-use-layout-effect
@babel/plugin-bugfix-v8-static-class-fields-redefine-readonly concat-stream @types/parse-json json-schema @aws-sdk/util-locate-window got @inquirer/type
@noble/hashes @octokit/request hermes-estree hermes-parser sucrase tinyspy stylis styled-jsx map-obj fs-constants make-fetch-happen @types/hast tldts synckit
lz-string @rtsao/scc tree-kill moment path-is-inside get-east-asian-width lucide-react regjsgen validate-npm-package-name @csstools/css-calc
@webassemblyjs/helper-numbers immer postgres-array tinybench @opentelemetry/sdk-metrics commondir supports-hyperlinks why-is-node-running lie memfs
unist-util-stringify-position @babel/plugin-syntax-unicode-sets-regex fflate client-only @radix-ui/react-use-controllable-state @octokit/request-error fsevents
unicorn-magic @inquirer/core react-router array.prototype.findlast @radix-ui/react-presence string.prototype.repeat @tybys/wasm-util lodash.includes
@csstools/color-helpers lodash.isnumber lodash.isinteger micromark-util-symbol @types/eslint-scope which-module exit @emnapi/core
@babel/plugin-bugfix-firefox-class-in-computed-class-key @csstools/css-color-parser html-entities lightningcss-linux-x64-gnu marked
@radix-ui/react-use-callback-ref pkg-types performance-now require-main-filename minipass-fetch d3-format @babel/plugin-transform-react-jsx minimalistic-assert
@xtuc/long @radix-ui/react-dismissable-layer css.escape postgres-bytea @types/tough-cookie d3-shape bowser @xtuc/ieee754 @types/debug d3-path postgres-interval
dotenv-expand @next/swc-linux-x64-gnu big.js p-cancelable cross-fetch interpret immediate is-windows react-remove-scroll stackback postgres-date siginfo graphql
@radix-ui/react-portal pg-types @types/d3-shape tweetnacl pend hoist-non-react-statics astral-regex @types/mdast @radix-ui/react-id @octokit/core
@octokit/endpoint node-domexception @babel/plugin-transform-duplicate-named-capturing-groups-regex @pkgr/core @emnapi/wasi-threads svgo p-retry tsx
postcss-import confbox expect-type @img/colour p-finally framer-motion @babel/plugin-transform-react-display-name tailwind-merge micromark-util-character
google-logging-utils @types/deep-eql @sentry/core dot-case abab @types/retry fast-diff typedarray @aws/lambda-invoke-store @aws-sdk/credential-provider-login
consola extsprintf internmap archiver-utils node-gyp-build dompurify p-timeout vfile-message flat lodash-es json-bigint component-emitter fast-safe-stringify
@asamuzakjp/css-color camel-case @jridgewell/set-array cacheable-request @babel/plugin-bugfix-safari-class-field-initializer-scope
@babel/helper-split-export-declaration ejs @aws-crypto/crc32 @grpc/grpc-js clipboardy ts-interface-checker duplexify @smithy/util-waiter
@babel/plugin-transform-runtime acorn-globals d3-interpolate css-loader @isaacs/fs-minipass require-in-the-middle pg-protocol eslint-plugin-jsx-a11y vfile
@octokit/plugin-paginate-rest nan @inquirer/confirm global-prefix @smithy/eventstream-codec @types/trusted-types path-browserify ast-types-flow domexception
character-entities @testing-library/user-event @emotion/memoize mdast-util-to-string d3-time @tailwindcss/oxide @tailwindcss/node d3-color read-cache
@radix-ui/react-focus-guards @types/normalize-package-data @babel/plugin-transform-regexp-modifiers param-case @octokit/graphql fd-slicer vite-node enquirer
streamsearch chalk-template npm-package-arg @octokit/auth-token property-information @inquirer/figures @radix-ui/react-use-escape-keydown asn1
damerau-levenshtein @radix-ui/react-focus-scope encoding normalize-range @vitejs/plugin-react @hapi/hoek is-accessor-descriptor is-data-descriptor
react-router-dom acorn-import-attributes simple-swizzle responselike @types/pg process-warning sass eslint-plugin-prettier node-gyp unplugin unrs-resolver
language-tags b4a os-tmpdir language-subtag-registry deep-equal dom-helpers jake default-browser-id fetch-blob webpack-dev-middleware streamx router
@babel/preset-react assert-plus @aws-sdk/middleware-sdk-s3 minipass-collect rechoir webpack-virtual-modules napi-postinstall universal-user-agent
micromark-util-types @aws-sdk/signature-v4-multi-region d3-time-format global-modules @radix-ui/react-collection react-transition-group dlv postcss-nested
d3-timer fast-equals crc-32 zod-to-json-schema unique-string err-code @szmarczak/http-timer postcss-modules-local-by-default filelist micromark emojis-list cac
crypto-random-string is-inside-container faye-websocket babel-plugin-macros pretty-bytes formdata-polyfill unified run-applescript @radix-ui/react-direction
busboy ua-parser-js default-browser module-details-from-path stable-hash @aws-sdk/util-arn-parser postcss-modules-extract-imports @types/d3-time string-argv
promise-retry character-entities-legacy @tailwindcss/oxide-linux-x64-gnu bare-events ret @tanstack/query-core fast-fifo reflect-metadata url
@smithy/eventstream-serde-node @smithy/eventstream-serde-universal @swc/counter d3-scale serve-handler http-parser-js pino micromark-factory-space stream-shift
websocket-driver ts-jest pino-abstract-transport mrmime load-json-file @opentelemetry/context-async-hooks sonic-boom @smithy/eventstream-serde-browser
pascal-case shallow-clone @smithy/eventstream-serde-config-resolver @babel/plugin-transform-react-jsx-development @types/d3-color promise @types/d3-path
mdast-util-from-markdown @radix-ui/react-popper postcss-modules-scope camelcase-css d3-ease @unrs/resolver-binding-linux-x64-gnu prettier-linter-helpers
update-check aws4 @octokit/plugin-rest-endpoint-methods proxy-agent bcrypt-pbkdf zustand postcss-js http-proxy-middleware @types/d3-scale @types/d3-interpolate
eslint-config-next space-separated-tokens @next/eslint-plugin-next icss-utils websocket-extensions @emotion/unitless cli-table3 babel-loader redux lodash.uniq
object-is pg-int8 @tanstack/react-query verror @babel/plugin-transform-react-pure-annotations husky at-least-node pg-connection-string
@babel/helper-simple-access csso @babel/helper-function-name invariant react-hook-form clone-deep @next/swc-linux-x64-musl text-decoder zod-validation-error
jest-environment-jsdom bundle-name postcss-modules-values decode-uri-component colors tinypool sshpk luxon http-signature pluralize http-proxy @playwright/test
external-editor didyoumean @types/resolve mimic-function has-values use-callback-ref memoize-one before-after-hook jszip @types/minimatch use-sidecar serve
@types/jsonwebtoken @radix-ui/react-arrow @radix-ui/react-use-size parse-entities has-value @aws-sdk/client-s3 mocha fastify koa nuxt vue angular svelte
electron puppeteer mongoose sequelize prisma knex mysql mysql2 nodemailer discord.js socket.io jquery bootstrap mobx nodemon pm2 cross-env
`;

/** Packages that look like one of those and were fetched thirty thousand times themselves. */
export const NPM_OTHERS = `
tsutils typedarray-to-buffer trough isstream jsonparse one-time eventemitter2 colord sockjs is-regexp punycode.js asn1.js arr-union traverse preact redis-parser
split pascalcase ip-regex arr-flatten yargs-unparser dargs camelize event-emitter lodash.union array-uniq regex-parser babel-runtime generate-function
p-is-promise babel-core buffers global cookies glob-to-regex.js parse-url xml-js postcss-values-parser jsonschema stable-hash-x memoizee to-readable-stream
to-arraybuffer urijs ansicolors random-bytes rollup-pluginutils lodash.uniqby babel-code-frame path iobuffer foreach stream-each callsite just-diff is-object
cli-table mquery babel-types tlds merge babel-plugin-syntax-jsx hast-util-to-string babel-traverse dom-serialize fast-url-parser xmlbuilder2 error
emoji-regex-xs babel-template binaryextensions es-aggregate-error stylus neotraverse flatten babel-generator jsdoc object-path eslint-plugin-import-x
multistream yazl json3 fclone nprogress listr clipboard tslint babel-helpers has-to-string-tag-x args babel-helper-function-name parseuri
babel-plugin-syntax-object-rest-spread tiny-glob babel-plugin-transform-regenerator mssql babel-helper-replace-supers babel-helper-optimise-call-expression
charset babel-plugin-transform-object-rest-spread stream mem-fs murmurhash dmg-builder babel-helper-remap-async-to-generator
babel-plugin-transform-async-to-generator babel-plugin-transform-exponentiation-operator pretty as-array htmlescape enquire.js micro-ftch wouter
abort-controller-x trouter babel-plugin-transform-class-properties uglify-es is-window babel-plugin-syntax-class-properties ansi-color x-is-string
babel-preset-env is-dom path2 piccolore prompt cli-ux ts-map esm-resolve quote-stream eslint-plugin-react-x graphiql jsx-ast-utils-x is-generator jsonp
babel-plugin-syntax-async-generators babel-plugin-transform-async-generator-functions imap cli-spinner to-data-view colornames response-time memjs
babel-plugin-transform-react-jsx x-default-browser glob-all babel-plugin-transform-react-jsx-source babel-plugin-transform-react-display-name
babel-plugin-transform-member-expression-literals babel-plugin-transform-property-literals babel-preset-react babel-plugin-transform-react-jsx-self is-blob
tslint-config-prettier s.color vasync brace level split.js has-own bower ansistyles read-all-stream tldjs css-styled babel-plugin-transform-runtime parsejson
mimer findup json postcss-jsx is-identifier zustand-x fs-promise didyoumean2 mkdirp2 ast-traverse isnumber saxen browser-split ip6addr es-content-type
regenerator cson-parser cline servie isbuffer compressing parse varstream is-readable-stream colour jsonc fd-slicer2 it-map ttypescript json-e x-is-array
path-absolute lodash.toplainobject object-refs node-mailjet react-vis ansicolor path-parser lodash.tonumber is-array expect.js file protobuf.js jest-matchers
vargs estraverse-fb httperrors htmlparser is-zip http2-proxy esm-utils object-values parse-uri fs.extra rs-module-lexer to-pascal-case edn-data lodash-node
jslint typescript-eslint-parser it-glob big-number as-number ip-bigint import-global compresion tslint-plugin-prettier ast-types-x array.prototype.at
h3-compression yerror to-json-schema clui lodash.eq js-runtime eslint-config-esnext connection-string ps-node inherit crc32 es-escape-html URIjs cli-table2
eslint_d accept end-stream zod-v3-to-json-schema compress-json is-node isostring common-dir to-array-buffer d3-tile http-proxy-3 html5parser promised-retry
babel-plugin-transform-dynamic-import console promis extendr preact-transition-group types-react-dom inquirer2 types-react its-set sl-istanbul-lib-instrument
normalizeurl extend2 color-js gl-constants did-you-mean mpromise ts-tiny-invariant jssip defaulty ts-promise promish csv-loader clor es-map jdataview CSSselect
CSSwhat es-set router5 import-locals preact-router rfile lodash.tostring v-clipboard objectpath json-parser sass.js File scss-loader domhelper
joi-to-json-schema text-encoder promise-fn-retry next-env babel-helper-module-imports playwright-test bmocha @aws-cdk/cloud-assembly-schema @bazel/runfiles
@rsbuild/core @remotion/player @vinejs/vine @svitejs/changesets-changelog-github-compact
`;
