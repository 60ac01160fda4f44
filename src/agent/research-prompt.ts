import type { Message } from "../core/conversation.ts";
import type { Tool } from "../tools/tool.ts";
import { PROMPT_1 } from "./prompts/system-1.ts";

/** The fixed words of the research subagent, first version. A change of meaning gets a new constant, so that runs can be compared. */
const RESEARCH_1 = {
  task: "You answer one question about one repository for another agent, which sees nothing but your last words. You can only read. Look where the answer must be, follow what you find, and stop when you can answer; you have few turns.",
  answer:
    "Answer in plain words without a tool call. Say first what the answer is, then what it rests on: name each place as path:line (src/sum.ts:12), as you have read it and never from memory. Say what you did not find or could not check.",
} as const;

/** The subagent's first messages: the stable part first, then the question, which an agent wrote and no person. */
export function researchOpening(question: string, repository: string, tools: readonly Pick<Tool, "name" | "description">[]): Message[] {
  const listed = tools.map(({ name, description }) => `- ${name}: ${description.split("\n", 1)[0]}`);
  const system = [RESEARCH_1.task, PROMPT_1.paths, PROMPT_1.data, `Tools:\n${listed.join("\n")}`, RESEARCH_1.answer].join("\n\n");
  return [
    { role: "system", text: system },
    { role: "user", text: `Repository ${repository}. The question:\n\n${question}` },
  ];
}
