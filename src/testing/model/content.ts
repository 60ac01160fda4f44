/** Pictures of a content, as either wire has them. */
export function imagesOf(content: unknown): readonly string[] {
  return listOf(content).flatMap((part) => {
    const { image_url: image } = fieldsOf(part);
    const url = typeof image === "string" ? image : fieldsOf(image)["url"];
    return typeof url === "string" ? [url] : [];
  });
}

/** Content is a text, or a list of parts that hold one. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOf(fieldsOf(part)["text"]))
    .join("");
}

export function isEmpty(content: unknown): boolean {
  if (!Array.isArray(content)) return content === "";
  return content.length === 0 || content.some((part) => fieldsOf(part)["text"] === "");
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
