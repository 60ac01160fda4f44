/** A token as its issuer writes it. */
export interface Shape {
  /** For people. */
  readonly kind: string;
  /** The issuer's own prefix, without an open-ended part, so that it is found in linear time. */
  readonly start: RegExp;
  /** The whole token: prefix and a fixed amount of what follows, so what is appended to a token changes nothing. */
  readonly pattern: RegExp;
  /** Length of the prefix that says nothing about whether the rest is real. */
  readonly prefix: number;
}

/** One row: what it is, the prefix and the rest as regular expressions, and how many characters of a match are the prefix. */
function shape(kind: string, start: string, rest: string, prefix = start.length): Shape {
  return { kind, start: new RegExp(start), pattern: new RegExp(`${start}${rest}`, "g"), prefix };
}

const WORD = "[A-Za-z0-9]";
const DASHED = "[A-Za-z0-9_-]";
const HEX = "[a-f0-9]";
/** Nothing of a longer word stands before it. */
const ALONE = "(?<![A-Za-z0-9_])";

/**
 * Tokens by their issuers' own prefixes. Sources: GitHub's secret-scanning patterns
 * (https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns), whose advice for the long
 * installation tokens is `ghs_[A-Za-z0-9._]{36,}`, and each issuer's own pages about its tokens.
 */
export const SHAPES: readonly Shape[] = [
  // Forges and CI
  shape("GitHub token", "gh[opusr]_", "[A-Za-z0-9._]{36}", 4),
  shape("GitHub token", "github_pat_", "[A-Za-z0-9_]{36}"),
  shape("GitLab token", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|ffct|oas)-", `${DASHED}{20}`, 6),
  shape("Bitbucket token", "ATBB", `${WORD}{32}`),
  shape("Atlassian token", "AT(?:ATT|CTT)3", `${DASHED}{60}`, 6),
  shape("Trello token", "ATTA", `${HEX}{60}`),
  shape("Azure client secret", "8Q~", "[A-Za-z0-9_.~-]{34}"),
  shape("Buildkite token", "bk(?:ua|ut|aa)_", `${HEX}{40}`, 5),
  shape("CircleCI token", "CCI(?:PAT|PRJ)_", `${WORD}{20}_${HEX}{40}`, 7),
  shape("SonarQube token", "sq[apu]_", `${HEX}{40}`, 4),
  shape("Sourcegraph token", "sgp_", `(?:${HEX}{16}_)?${HEX}{40}`),
  shape("Docker token", "dckr_(?:pat|oat)_", `${DASHED}{27}`, 9),
  shape("Terraform token", "\\.atlasv1\\.", `${DASHED}{60}`, 9),
  shape("Pulumi token", "pul-", `${HEX}{40}`),
  shape("Vault token", "hv[sb]\\.", `${DASHED}{24}`, 4),
  shape("Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", `${WORD}{40}`, 6),
  shape("1Password token", "ops_eyJ", "[A-Za-z0-9+/=_-]{200}"),
  shape("OpenShift token", "sha256~", `${DASHED}{43}`),
  // Clouds
  shape("AWS access key id", "(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z2-7]{16}", 4),
  shape("AWS Bedrock key", "ABSK", "[A-Za-z0-9+/]{109}"),
  shape("Google API key", "AIza", `${DASHED}{35}`),
  shape("Google OAuth secret", "GOCSPX-", `${DASHED}{28}`),
  shape("Google access token", "ya29\\.", `${DASHED}{40}`, 5),
  shape("Google refresh token", "(?<![A-Za-z0-9/])1//0", `${DASHED}{40}`, 4),
  shape("Azure storage key", "AccountKey=", "[A-Za-z0-9+/]{86}=="),
  shape("Azure shared access key", "SharedAccessKey=", "[A-Za-z0-9+/]{43}="),
  shape("Alibaba key id", `${ALONE}LTAI`, `${WORD}{16}`, 4),
  shape("Tencent key id", `${ALONE}AKID`, `${WORD}{32}`, 4),
  shape("DigitalOcean token", "do[opr]_v1_", `${HEX}{64}`, 7),
  shape("Heroku key", "HRKU-AA", `${DASHED}{50}`),
  shape("Netlify token", "nf[pcoub]_", `${WORD}{36}`, 4),
  shape("Fly.io token", "fm[12][ar]?_", "[A-Za-z0-9+/=]{100}", 4),
  shape("Supabase key", "sb(?:p_|_secret_)", `[A-Za-z0-9_]{31}`, 4),
  shape("PlanetScale key", "pscale_(?:tkn|pw|oauth)_", `[A-Za-z0-9_.=-]{32}`, 10),
  shape("Databricks token", "dapi", `${HEX}{32}`),
  shape("Cloudflare origin key", "v1\\.0-", `${HEX}{24}-${HEX}{146}`, 5),
  shape("Grafana token", "gl(?:sa|c)_", "[A-Za-z0-9_+/]{32}", 5),
  shape("New Relic key", "NRAK-", "[A-Z0-9]{27}"),
  shape("Dynatrace token", "dt0[cs]\\d{2}\\.", "[A-Z2-7]{24}\\.[A-Z2-7]{64}", 7),
  shape("Sentry token", "sntry[su]_", "[A-Za-z0-9+/=_]{60}", 7),
  shape("Honeycomb key", "hc[a-z]{1,2}ik_", `${WORD}{58}`, 7),
  shape("Tailscale key", "tskey-", `[a-z]{2,12}-${WORD}{6,24}-${WORD}{20}`),
  // Models
  shape("OpenAI key", "sk-(?:proj|svcacct|admin|None)-", `${DASHED}{40}`, 8),
  shape("OpenAI key", `sk-${WORD}{20}T3BlbkFJ`, `${WORD}{20}`, 3),
  shape("secret key", "(?<![A-Za-z0-9])sk-", `${WORD}{48}`, 3),
  shape("secret key", "(?<![A-Za-z0-9])sk-", `${HEX}{32}(?![A-Za-z0-9])`, 3),
  shape("OpenRouter key", "sk-or-v1-", `${HEX}{64}`),
  shape("Anthropic key", "sk-ant-", `[a-z]{3,8}\\d{2}-${DASHED}{40}`),
  shape("Langfuse key", "sk-lf-", `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`),
  shape("LangSmith key", "lsv2_(?:pt|sk)_", `${HEX}{32}_${HEX}{10}`, 8),
  shape("Hugging Face token", "(?:hf_|api_org_)", "[A-Za-z]{34}", 3),
  shape("Groq key", "gsk_", `${WORD}{48}`),
  shape("xAI key", "xai-", `${WORD}{70}`),
  shape("Perplexity key", "pplx-", `${WORD}{48}`),
  shape("Replicate token", `${ALONE}r8_`, `${WORD}{37}`, 3),
  shape("Pinecone key", "pcsk_", `[A-Za-z0-9_]{50}`),
  shape("ElevenLabs key", `${ALONE}sk_`, `${HEX}{48}(?![A-Za-z0-9])`, 3),
  // Messages and mail
  shape("Slack token", "xox[abeoprs]-", `(?:\\d-)?[A-Za-z0-9-]{24}`, 5),
  shape("Slack token", "xapp-", `\\d-[A-Z0-9]{8,14}-\\d{8,16}-${HEX}{40}`),
  shape("Slack webhook", "hooks\\.slack\\.com\\/(?:services|workflows|triggers)\\/", "[A-Za-z0-9/_-]{36}", 23),
  shape("Discord webhook", "discord(?:app)?\\.com\\/api\\/webhooks\\/", "\\d{17,20}\\/[\\w-]{60}", 19),
  shape("Discord bot token", `${ALONE}[MNO][A-Za-z\\d]{23,25}\\.`, `[\\w-]{6}\\.[\\w-]{27,38}`, 1),
  shape(
    "Teams webhook",
    "webhook\\.office\\.com\\/webhookb2\\/",
    `${HEX}{8}-[a-f0-9-]{27}@${HEX}{8}-[a-f0-9-]{27}\\/IncomingWebhook\\/${HEX}{32}`,
    30,
  ),
  shape("Telegram bot token", "\\d{8,10}:AA", `${DASHED}{33}`, 12),
  shape("SendGrid key", "SG\\.", `${DASHED}{22}\\.${DASHED}{43}`, 3),
  shape("Mailgun key", `${ALONE}key-`, `${HEX}{32}(?![A-Za-z0-9])`, 4),
  shape("Mailchimp key", `(?<![a-f0-9])${HEX}{32}-us`, "\\d{1,2}(?!\\d)", 0),
  shape("Brevo key", "xkeysib-", `${HEX}{64}-${WORD}{16}`),
  shape("Resend key", `${ALONE}re_`, `${WORD}{8}_${WORD}{24}`, 3),
  shape("Twilio key", `${ALONE}SK`, `${HEX}{32}(?![A-Za-z0-9])`, 2),
  // Money and shops
  shape("Stripe key", "[sr]k_live_", `${WORD}{20}`, 8),
  shape("Stripe webhook secret", "whsec_", "[A-Za-z0-9+/]{32}"),
  shape("Square token", "sq0(?:atp|csp)-", `${DASHED}{22}`, 7),
  shape("PayPal token", "access_token\\$production\\$", `[a-z0-9]{16}\\$${HEX}{32}`, 24),
  shape("Plaid token", "access-(?:production|development)-", `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`, 18),
  shape("Razorpay key", "rzp_live_", `${WORD}{14}`),
  shape("Flutterwave key", "FLWSECK-", `${HEX}{32}-X`),
  shape("Shopify token", "shp(?:at|ca|pa|ss)_", `${HEX}{32}`, 6),
  shape("Shippo token", "shippo_live_", `${HEX}{40}`),
  shape("EasyPost key", "EZAK", `${WORD}{54}`),
  // Packages
  shape("npm token", "npm_", `${WORD}{36}`),
  shape("PyPI token", "pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBp)", `${DASHED}{50}`, 16),
  shape("RubyGems key", "rubygems_", `${HEX}{48}`),
  shape("crates.io token", "(?<![A-Za-z0-9])cio", `${WORD}{32}(?![A-Za-z0-9])`, 3),
  shape("NuGet key", `${ALONE}oy2`, "[a-z0-9]{43}(?![A-Za-z0-9])", 3),
  shape("Packagist token", "packagist_(?:org|uut|out|ust|sst)_", `${HEX}{68}`, 14),
  shape("Clojars token", "CLOJARS_", `${HEX}{60}`),
  shape("JFrog key", `${ALONE}AKCp`, `${WORD}{69}`, 4),
  // Tools
  shape("Linear key", "lin_(?:api|oauth)_", `${WORD}{40}`, 8),
  shape("Notion token", `${ALONE}(?:ntn|secret)_`, `${WORD}{43}(?![A-Za-z0-9])`, 4),
  shape("Airtable token", `${ALONE}pat${WORD}{14}\\.`, `${HEX}{64}`, 3),
  shape("HubSpot token", "pat-(?:na|eu|ap)\\d-", `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`, 8),
  shape("Postman key", "PMAK-", `${HEX}{24}-${HEX}{34}`),
  shape("Figma token", "fig[dou]_", `${DASHED}{40}`, 5),
  shape("Contentful token", "CFPAT-", `${DASHED}{43}`),
  shape("Typeform token", "tfp_", `${DASHED}{40}`),
  shape("ReadMe key", "rdme_", "[a-z0-9]{70}"),
  shape("Dropbox token", `${ALONE}sl\\.`, `${DASHED}{130}`, 3),
  shape("Mapbox secret token", `${ALONE}sk\\.eyJ`, `${DASHED}{60}\\.${DASHED}{20}`, 6),
  shape("age key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}"),
];
