/** Checks a chat provider against the contract (`chat.ts`), and lists all its problems. */
import { contactChannels } from '../domain/contactability/facts.ts'
import { type ChatCapabilities, type ChatProvider, identityKinds, mediaKinds } from './chat.ts'
import { checkChatBodies } from './check-chat-bodies.ts'
import { checkChatCalls } from './check-chat-calls.ts'
import { buildExample, checkCredentials, isBaseUrl } from './check-credentials.ts'
import { isCount, isFunction, isSubsetOf, isText, listBrokenRules, type Rule } from './rules.ts'

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
