// What authors of extensions, and embedders, import as `sallyport/testing`.
export * from "./testing/index.ts";
export { stageExtension, type Asked, type ExtensionStage, type ExtensionStageOptions, type Staged } from "./extension-stage.ts";
