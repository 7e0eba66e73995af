// Plays opencode for its bridge: a session that breaks the test, is interrupted, stops, mends it.
import { writeFileSync } from "node:fs"
import { Sprag } from "./bridge.mjs"

const saw = (what, value) => console.log(JSON.stringify({ [what]: value ?? null }))
const prompts = []
const told = []
const client = {
  session: {
    get: async ({ path }) => ({ data: { id: path.id, parentID: path.id === "ses_2" ? "ses_1" : undefined } }),
    promptAsync: async (request) => void prompts.push(request),
  },
  app: { log: async ({ body }) => void told.push(body.message) },
}
const since = (from) => prompts.slice(from)
const directory = process.cwd()
const plugin = await Sprag({ client, directory })
const idle = (sessionID) => plugin.event({ event: { type: "session.idle", properties: { sessionID } } })

// Hundreds of these come by; none of them may cost anything.
for (let n = 0; n < 500; n++) {
  await plugin.event({ event: { type: "message.part.delta", properties: { sessionID: "ses_1" } } })
}
const message = { id: "msg_1", agent: "build", model: { providerID: "p", modelID: "m" } }
const parts = [{ type: "text", text: "please work" }]
await plugin["chat.message"]({ sessionID: "ses_1" }, { message, parts })
saw("context", parts.slice(1).map((part) => part.text).join("\n"))
const env = {}
await plugin["shell.env"]({ cwd: directory, sessionID: "ses_1" }, { env })
saw("env", env.SPRAG_SESSION)

const uses = async (sessionID, tool, args) => {
  try {
    await plugin["tool.execute.before"]({ tool, sessionID, callID: "c" }, { args })
    return undefined
  } catch (error) {
    return error.message
  }
}
saw("denied", await uses("ses_1", "write", { filePath: `${directory}/.sprag/config.yaml` }))
await uses("ses_1", "write", { filePath: `${directory}/code.txt` })
writeFileSync("code.txt", "bad\n")
await plugin["tool.execute.after"]({ tool: "write", sessionID: "ses_1", callID: "c", args: {} }, { output: "" })

const error = { name: "MessageAbortedError", data: {} }
await plugin.event({ event: { type: "session.error", properties: { sessionID: "ses_1", error } } })
// It says so twice, as the real one does.
await idle("ses_1")
await idle("ses_1")
saw("after an interrupt", prompts)
await plugin["chat.message"]({ sessionID: "ses_1" }, { message, parts: [{ type: "text", text: "go on" }] })
await Promise.all([idle("ses_1"), idle("ses_1")])
saw("refused", prompts)
const child = prompts.length
await idle("ses_2")
saw("of a child", since(child))
writeFileSync("code.txt", "good\n")
const good = prompts.length
await idle("ses_1")
saw("when it is good", since(good))
await plugin.dispose()
saw("told", told)
