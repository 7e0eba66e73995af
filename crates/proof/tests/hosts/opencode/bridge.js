// Stands in for a bridge where sprag ships none: hands on what happens in opencode to `sprag hook
// opencode` and does what the answer says.
import { spawn } from "node:child_process"

function ask(event, fields) {
  return new Promise((answered) => {
    const sprag = spawn("sprag", ["hook", "opencode", event], { stdio: ["pipe", "pipe", "inherit"] })
    let said = ""
    sprag.stdout.on("data", (piece) => (said += piece))
    sprag.on("error", () => answered({}))
    sprag.on("close", () => answered(said ? JSON.parse(said) : {}))
    sprag.stdin.end(JSON.stringify({ hook_event_name: event, ...fields }))
  })
}

export const Bridge = async ({ client, directory }) => {
  const known = new Set()
  const refused = new Set()
  const about = (id) => ({ session_id: id, cwd: directory })
  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const tell = (answer) => {
        const text = answer.hookSpecificOutput?.additionalContext
        if (!text) return
        const part = `prt_sprag${Date.now().toString(36)}${output.parts.length}`
        output.parts.push({ id: part, sessionID: id, messageID: output.message.id, type: "text", text, synthetic: true })
      }
      const prompt = output.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
      if (!known.has(id)) tell(await ask("SessionStart", { ...about(id), source: "startup" }))
      known.add(id)
      tell(await ask("UserPromptSubmit", { ...about(id), prompt }))
    },
    "tool.execute.before": async (input, output) => {
      const call = { tool_name: input.tool, tool_use_id: input.callID, tool_input: output.args }
      const answer = await ask("PreToolUse", { ...about(input.sessionID), ...call })
      if (answer.decision === "block") throw new Error(answer.reason)
    },
    "tool.execute.after": async (input, output) => {
      const call = { tool_name: input.tool, tool_use_id: input.callID, tool_input: input.args }
      const answer = await ask("PostToolUse", { ...about(input.sessionID), ...call })
      if (answer.additionalContext) output.output += `\n${answer.additionalContext}`
    },
    event: async ({ event }) => {
      if (event.type !== "session.idle") return
      const id = event.properties.sessionID
      const answer = await ask("Stop", { ...about(id), stop_hook_active: refused.has(id) })
      if (answer.decision !== "block") return
      refused.add(id)
      await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: answer.reason }] } })
    },
  }
}
