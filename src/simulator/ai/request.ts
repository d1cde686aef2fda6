/** The requests of the simulated AI endpoint: checked as the real one does. */
import { compile, type Static, Type } from '../../kit/schema.ts'

const FunctionCall = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Literal('function'),
  function: Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() }),
})

const ChatRequest = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(
    Type.Object({
      role: Type.Enum(['system', 'user', 'assistant', 'tool']),
      content: Type.Union([Type.String(), Type.Null()]),
      tool_calls: Type.Optional(Type.Array(FunctionCall)),
      tool_call_id: Type.Optional(Type.String()),
    }),
    { minItems: 1 },
  ),
  max_tokens: Type.Integer({ minimum: 1 }),
  tools: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Literal('function'),
        function: Type.Object({
          name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
          description: Type.String(),
          parameters: Type.Object({}),
        }),
      }),
    ),
  ),
})
export type ChatRequest = Static<typeof ChatRequest>

/** What the model says. */
export interface Completion {
  text?: string
  calls?: { name: string; arguments: string }[]
  isTruncated?: boolean
}

const validate = compile(ChatRequest)

/** Returns a sentence for a request that the real endpoint would refuse. */
export function parseChatRequest(body: string): ChatRequest | string {
  const value = parse(body)
  const [error] = validate(value)
  if (error) return `${error.path} ${error.message}`
  const chat = value as ChatRequest
  const called = new Set<string>()
  for (const { role, tool_calls: calls = [], tool_call_id: id = '' } of chat.messages) {
    for (const call of calls) called.add(call.id)
    if (role === 'tool' && !called.has(id)) return 'A tool message answers no tool call.'
  }
  return chat
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** The arguments of a call. */
export const callTool = (name: string, values: object): Completion => ({
  calls: [{ name, arguments: JSON.stringify(values) }],
})

export const hasTool = ({ tools = [] }: ChatRequest, name: string): boolean =>
  tools.some(tool => tool.function.name === name)

/** The lines of JSON in the prompt of a reply: the facts first, then the messages of the conversation. */
export function readPrompt({ messages }: ChatRequest): {
  facts: Record<string, unknown>
  /** Of the person. */
  lastText: string
  /** Of the agency or of the model; empty: neither has written. */
  lastAnswer: string
} {
  const content = messages.find(({ role }) => role === 'user')?.content ?? ''
  const objects = content.split('\n').flatMap(line => {
    const value = line.startsWith('{') ? parse(line) : null
    return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : []
  })
  const turns = objects.slice(1)
  const theirs = turns.findLast(({ from }) => from === 'person')
  const ours = turns.findLast(({ from }) => from !== 'person')
  return {
    facts: objects[0] ?? {},
    lastText: String(theirs?.text ?? content),
    lastAnswer: String(ours?.text ?? ''),
  }
}
