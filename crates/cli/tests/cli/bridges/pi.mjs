// Plays pi for its bridge: a session that starts a workflow, breaks the test, stops, mends it.
import { writeFileSync } from "node:fs"
const { default: bridge } = await import("./bridge.mjs")

const saw = (what, value) => console.log(JSON.stringify({ [what]: value ?? null }))
const handlers = new Map()
const tools = new Map()
const commands = new Map()
const [entries, prompted, told] = [[], [], []]
const pi = {
  on: (event, handler) => handlers.set(event, handler),
  getAllTools: () => (process.env.BESIDE ? [{ name: "workflow_step" }] : [...tools.values()]),
  registerTool: (tool) => tools.set(tool.name, tool),
  registerCommand: (name, command) => commands.set(name, command),
  appendEntry: (customType, data) => entries.push({ type: "custom", customType, data }),
  sendUserMessage: (text) => prompted.push(text),
  sendMessage: () => {},
  setSessionName: () => {},
}
const ctx = {
  cwd: process.cwd(),
  hasUI: true,
  ui: { notify: (message) => told.push(message), setStatus: () => {}, confirm: async () => true },
  isIdle: () => true,
  sessionManager: { getSessionId: () => "tree-1", getBranch: () => entries },
}
bridge(pi)
const emit = (event, data) => handlers.get(event)({ type: event, ...data }, ctx)

await emit("session_start", { reason: "startup" })
saw("registered", [...tools.keys(), ...commands.keys()])
saw("env", process.env.SPRAG_SESSION)
await commands.get("workflow")?.handler("dev csv", ctx)
saw("prompted", prompted)
saw("context", (await emit("before_agent_start", { prompt: "go" }))?.message?.content)
saw("blocked", await emit("tool_call", { toolName: "write", input: { path: "code.txt" } }))
const step = await tools.get("workflow_step")?.execute("id", { action: "next" }, undefined, undefined, ctx)
saw("step", step?.content[0].text)
saw("after the last phase", await emit("tool_call", { toolName: "write", input: { path: "code.txt" } }))
writeFileSync("code.txt", "bad\n")
await emit("tool_result", { toolName: "write" })
await emit("turn_end", {})
const other = [{ type: "custom", customType: "other", data: 1 }]
saw("after an interrupt", await emit("agent_before_settle", { outcome: "aborted", entries: [] }))
saw("refused", await emit("agent_before_settle", { outcome: "completed", entries: other }))
writeFileSync("code.txt", "good\n")
saw("when it is good", await emit("agent_before_settle", { outcome: "completed", entries: [] }))
await emit("session_shutdown", { reason: "quit" })
saw("entries", entries)
saw("told", told)
