/** Checks a chat provider against the contract (`chat.ts`), and lists all its problems. */
import type { TObject, TSchema } from 'typebox'
import { contactChannels } from '../domain/contactability/facts.ts'
import { compile } from '../kit/schema.ts'
import { type ChatCapabilities, type ChatProvider, identityKinds, mediaKinds } from './chat.ts'
import { checkChatBodies } from './check-chat-bodies.ts'
import { checkChatCalls } from './check-chat-calls.ts'
import { isCount, isFunction, isSubsetOf, isText, isTrue, listBrokenRules, type Rule } from './rules.ts'

const bytesMax = 2 * 1024 ** 3

const factRules: Rule<ChatProvider>[] = [
  [
    '`id` must be lower-case letters, digits and _',
    ({ id }) => isText(id) && /^[a-z][a-z0-9_]{0,49}$/.test(id),
  ],
  ['`label` must be a string that is not empty', ({ label }) => isText(label)],
  [
    '`baseUrl` must be null, or an http or https URL without a trailing slash, a query and credentials',
    ({ baseUrl }) => baseUrl === null || isBaseUrl(baseUrl),
  ],
  [
    `\`channel\` must be one of ${contactChannels.join(', ')}`,
    ({ channel }) => isSubsetOf([channel], contactChannels),
  ],
  ["`mode` must be 'chat' or 'chat-no-api'", ({ mode }) => isSubsetOf([mode], ['chat', 'chat-no-api'])],
  [
    '`connect`, `checkHealth` and `send` must be functions',
    ({ connect, checkHealth, send }) => [connect, checkHealth, send].every(isFunction),
  ],
  [
    '`createLink` must be a function if `mode` is chat-no-api, and missing otherwise',
    ({ mode, createLink }) => (mode === 'chat-no-api' ? isFunction(createLink) : createLink === undefined),
  ],
  [
    '`webhook` or `mailbox` must be present if `mode` is chat, and both missing otherwise',
    ({ mode, webhook, mailbox }) => (mode === 'chat') === Boolean(webhook ?? mailbox),
  ],
  [
    '`webhook` must have functions `verify` and `parse`; `challenge` may be a function',
    ({ webhook }) =>
      !webhook ||
      (isFunction(webhook.verify) &&
        isFunction(webhook.parse) &&
        (webhook.challenge === undefined || isFunction(webhook.challenge))),
  ],
  [
    '`mailbox` must have functions `listen` and `parse`',
    ({ mailbox }) => !mailbox || (isFunction(mailbox.listen) && isFunction(mailbox.parse)),
  ],
  [
    '`findRefusal`, `reconcile`, `openMedia` and `markRead` must be functions or missing',
    ({ findRefusal, reconcile, openMedia, markRead }) =>
      [findRefusal, reconcile, openMedia, markRead].every(one => one === undefined || isFunction(one)),
  ],
  [
    '`showTyping` must be a function if `capabilities.typing` is true, and missing otherwise',
    ({ showTyping, capabilities }) =>
      capabilities.typing ? isFunction(showTyping) : showTyping === undefined,
  ],
  [
    "`templates` must have functions `list` and `submit` if `capabilities.templates` is 'required', and be missing otherwise",
    ({ templates, capabilities }) =>
      capabilities.templates === 'required'
        ? isFunction(templates?.list) && isFunction(templates?.submit)
        : templates === undefined,
  ],
  [
    '`capabilities` must have no media, buttons, lists, location, reactions, typing and receipts if `mode` is chat-no-api',
    ({ mode, capabilities: { media, buttonsMax, listRowsMax, ...can } }) =>
      mode !== 'chat-no-api' ||
      (Object.keys(media).length === 0 &&
        buttonsMax + listRowsMax === 0 &&
        !(can.location || can.reactions || can.typing || can.receipts)),
  ],
]

const capabilityRules: Rule<ChatCapabilities>[] = [
  [
    `\`capabilities.identities\` must be some of ${identityKinds.join(', ')}`,
    ({ identities }) => isSubsetOf(identities, identityKinds),
  ],
  [
    '`capabilities.text` must have `charactersMax` of 1 or more, and `captionCharactersMax` missing or 1 or more',
    ({ text: { charactersMax, captionCharactersMax = 1 } }) =>
      isCount(charactersMax) && isCount(captionCharactersMax),
  ],
  [
    `\`capabilities.media\` must have kinds of ${mediaKinds.join(', ')}, each with media types such as image/png and \`bytesMax\` from 1 to 2 GB`,
    ({ media }) =>
      Object.entries(media).every(
        ([kind, { mediaTypes, bytesMax: max }]) =>
          isSubsetOf([kind], mediaKinds) &&
          mediaTypes.every(type => /^[a-z]+\/[a-z0-9.+-]+$/.test(type)) &&
          isCount(max) &&
          max <= bytesMax,
      ),
  ],
  [
    '`capabilities.buttonsMax` and `capabilities.listRowsMax` must be whole numbers of 0 or more',
    ({ buttonsMax, listRowsMax }) =>
      [buttonsMax, listRowsMax].every(max => Number.isInteger(max) && max >= 0),
  ],
  [
    '`capabilities` must set location, reactions, typing, receipts and idempotent to true or false',
    ({ location, reactions, typing, receipts, idempotent }) =>
      [location, reactions, typing, receipts, idempotent].every(can => typeof can === 'boolean'),
  ],
  [
    "`capabilities.templates` must be 'required' or 'local'",
    ({ templates }) => isSubsetOf([templates], ['required', 'local']),
  ],
  [
    "`capabilities.replyWindowHours` must be above 0, or null; it is not null if `templates` is 'required'",
    ({ replyWindowHours, templates }) =>
      replyWindowHours === null ? templates !== 'required' : replyWindowHours > 0,
  ],
  [
    '`capabilities.messagesPerSecond` must be above 0',
    ({ messagesPerSecond }) => Number.isFinite(messagesPerSecond) && messagesPerSecond > 0,
  ],
]

/**
 * One sentence per problem, with the names of the contract. Empty if the provider is valid. `bodies`: real bodies of
 * its webhook or mailbox, which are then damaged. A provider whose facts are wrong is not tried. Takes seconds: it calls
 * the provider with a hostile server on loopback.
 */
export async function checkChat(
  provider: ChatProvider,
  { bodies = [] }: { bodies?: Buffer[] } = {},
): Promise<string[]> {
  if (typeof provider !== 'object' || provider === null) return ['the provider must be an object']
  const problems = [
    ...listBrokenRules(factRules, provider),
    ...listBrokenRules(capabilityRules, provider.capabilities),
    ...checkCredentials(provider.credentials),
  ]
  if (problems.length > 0) return problems
  const credentials = buildExample(provider.credentials)
  return [
    ...(await checkChatBodies(provider, credentials, bodies)),
    ...(await checkChatCalls(provider, credentials)),
  ]
}

function checkCredentials(credentials: TObject): string[] {
  const open = findOpenObject(credentials, 'credentials')
  if (open) return [`\`${open}\` must be an object that is closed (additionalProperties: false)`]
  const unnamed = listFields(credentials, 'credentials').filter(
    ([, field]) => !isText(field.title) || !Array.isArray(field.examples) || field.examples.length === 0,
  )
  if (unnamed.length > 0) return unnamed.map(([path]) => `\`${path}\` must have a title and examples`)
  const isValid = isTrue(() => compile(credentials)(buildExample(credentials)).length === 0)
  return isValid ? [] : ['the first examples of `credentials` must be valid together']
}

interface Field {
  type?: string
  title?: unknown
  examples?: unknown[]
  additionalProperties?: unknown
  properties?: Record<string, TSchema>
}

function findOpenObject(schema: Field, path: string): string | undefined {
  if (path === 'credentials' && schema?.type !== 'object') return path
  if (schema.type !== 'object') return undefined
  if (schema.additionalProperties !== false) return path
  return Object.entries(schema.properties ?? {})
    .map(([key, field]) => findOpenObject(field, `${path}.${key}`))
    .find(found => found !== undefined)
}

/** The fields that have a value of their own. */
function listFields(schema: Field, path: string): [path: string, field: Field][] {
  if (schema.type !== 'object') return [[path, schema]]
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
    listFields(field, `${path}.${key}`),
  )
}

/** Credentials of the first example of every field. */
function buildExample(schema: Field): Record<string, unknown> {
  const toValue = (field: Field) => (field.type === 'object' ? buildExample(field) : field.examples?.[0])
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, field]) => [key, toValue(field)]),
  )
}

function isBaseUrl(text: string): boolean {
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && !text.endsWith('/') && !url.search && !url.hash && !url.username
}
