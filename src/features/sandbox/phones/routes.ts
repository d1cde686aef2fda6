/** The route that creates the page on which somebody reads and writes as a lead. */
import type { Cipher } from '../../../kit/crypto.ts'
import { Problem, type ProblemType } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { assertTest, testOnly } from '../../../kit/test-only.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { revokeShares, shareObject } from '../../shares/service.ts'
import { getReceiver, readPerson } from '../person.ts'
import { phoneKind, readPhoneUrl } from './links.ts'
import { deleteExpiredPhones, phoneDays, phonesMax, savePhone } from './queries.ts'

const NewPhone = strictObject({
  accountId: id('The chat account with which the person chats.'),
  from: Type.String({
    minLength: 1,
    maxLength: 254,
    description:
      'The person: a phone (without a prefix, one of the country of the workspace), an address, the number of a Telegram chat, a WhatsApp user id, or a name of the sandbox. A lead has one of them.',
  }),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The name that the person gives themselves.' }),
  ),
})

const Phone = strictObject({
  url: Type.String({ description: 'The page. It needs no key: anybody who has the URL can write.' }),
  expiresAt: time('When the URL stops working, by the clock of the environment.'),
})
type Phone = Static<typeof Phone>

const phoneExample: Phone = {
  url: 'https://api.example.com/public/v1/phone/6wq0Yf3xLJc1kTt8mZ4pVbN2sRhG7uEd',
  expiresAt: '2026-11-09T10:00:00.000Z',
}

const tooMany: ProblemType = {
  code: 'TOO_MANY_PHONES',
  status: 409,
  meaning: 'The test environment has as many phones as it may.',
  action: 'Use one of those, or wait until some have expired.',
  example: `This environment has ${phonesMax} phones, the most allowed. They expire after ${phoneDays} days.`,
}

export interface PhoneDependencies {
  accounts: Pick<ChatAccounts, 'getProvider'>
  cipher: Cipher
  /** The public URL with the base path. */
  baseUrl: string
}

export const phoneRoutes = ({ accounts, cipher, baseUrl }: PhoneDependencies): Route[] => [
  route({
    method: 'POST',
    path: '/sandbox/phones',
    operation: 'createSandboxPhone',
    tag: 'Sandbox',
    summary: 'Create a page on which somebody chats as a lead',
    description: `The page looks like a phone. It shows what the account and the person have written to each other, and whoever opens it writes as the person. Opening it marks messages as read. A person has one phone with an account: another request returns the same URL, which then works for ${phoneDays} more days.`,
    scope: 'any',
    body: NewPhone,
    example: {
      accountId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
      from: '+34612345678',
      name: 'Marta Ruiz',
    },
    status: 201,
    reply: Phone,
    replyExample: phoneExample,
    errors: [testOnly, tooMany, 'INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: 'The account is disconnected and receives nothing.' },
    async handle({ body, caller, tx }) {
      assertTest(caller)
      const { account, provider } = await getReceiver(tx, accounts, body.accountId)
      const person = await readPerson(tx, body.from, provider)
      await revokeShares(tx, phoneKind, await deleteExpiredPhones(tx))
      const phone = await savePhone(tx, { accountId: account.id, person, name: body.name ?? null })
      if (!phone) throw new Problem(tooMany, tooMany.example)
      const expiresAt = phone.expiresAt.toISOString()
      await shareObject(tx, cipher, { kind: phoneKind, objectId: phone.id }, { expiresAt })
      return { url: await readPhoneUrl(tx, phone.id, { cipher, baseUrl }), expiresAt }
    },
  }),
]
