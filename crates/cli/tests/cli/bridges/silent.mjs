// Plays opencode for its bridge where sprag never answers: one tool, and it must run.
import { Sprag } from "./bridge.mjs"

const saw = (what, value) => console.log(JSON.stringify({ [what]: value ?? null }))
const told = []
const client = {
  session: { get: async () => ({ data: {} }) },
  app: { log: async ({ body }) => void told.push(body.message) },
}
const plugin = await Sprag({ client, directory: process.cwd() })
const call = { tool: "bash", sessionID: "ses_1", callID: "c" }
const denied = plugin["tool.execute.before"](call, { args: { command: "ls" } })
saw("denied", await denied.then(() => undefined, (error) => error.message))
await plugin.dispose()
saw("told", told)
