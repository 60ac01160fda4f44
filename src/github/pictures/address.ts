/** Where people's uploads lie on github.com itself, and on an Enterprise server. */
const UPLOADS = [
  /^\/user-attachments\/assets\/[\w-]+$/,
  /^\/[\w.-]+\/[\w.-]+\/assets\/\d+\/[\w.-]+$/,
  /^\/storage\/user\/\d+\/files\/[\w-]+$/,
];
/** Hosts of github.com that hold nothing but uploads and files of repositories. Not its image proxy: that one fetches from anywhere. */
const GITHUB_HOSTS = ["user-images.githubusercontent.com", "private-user-images.githubusercontent.com", "raw.githubusercontent.com"];
const GITHUB_STORAGE = [/^(?!camo\.)[a-z0-9-]+\.githubusercontent\.com$/, /^github-production-user-asset-[0-9a-f]+\.s3\.amazonaws\.com$/];
const DOTCOM = "https://github.com";

/** Whether a picture may be fetched from there: uploads of the configured GitHub and nothing else. `origin` is that GitHub's web origin. */
export function isPictureAddress(url: URL, origin: string): boolean {
  if (!isPlain(url, origin)) return false;
  if (url.origin === origin) return UPLOADS.some((path) => path.test(url.pathname));
  if (origin === DOTCOM) return url.port === "" && GITHUB_HOSTS.includes(url.hostname);
  return url.hostname === `media.${new URL(origin).hostname}` && url.pathname.startsWith("/user/");
}

/** Whether GitHub may redirect there for a picture: itself, and the storage behind it. */
export function isPictureStorage(url: URL, origin: string): boolean {
  if (!isPlain(url, origin)) return false;
  if (origin === DOTCOM) return url.origin === origin || (url.port === "" && GITHUB_STORAGE.some((host) => host.test(url.hostname)));
  const { hostname } = new URL(origin);
  return url.hostname === hostname || url.hostname.endsWith(`.${hostname}`);
}

function isPlain(url: URL, origin: string): boolean {
  return url.protocol === new URL(origin).protocol && url.username === "" && url.password === "";
}
