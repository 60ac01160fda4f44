/** What the rooms log to; pino's shape. One child per run carries `run`, `delivery` and `repo`; messages are static, facts are fields. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

/** A logger that says nothing. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
