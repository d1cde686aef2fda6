/** The HTTP route with which a program submits the form of a lead ad, as a person does. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { toPointerPart } from '../../kit/json-pointer.ts'
import { type InputError, throwIfInvalid } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, nullable, oneOf, type Static, strictObject, Type } from '../../kit/schema.ts'
import { assertTest, testOnly } from '../../kit/test-only.ts'
import { sandboxForm, sandboxFormId, toSandboxContent } from '../../plugins/sandbox/simulate-ads.ts'
import { adLeadStatuses } from '../ads/schemas.ts'
import { type Ads, findAdLead, storeNotices } from '../ads/service.ts'
import { createNotSettled, notSettled } from './not-settled.ts'

const timeoutMs = 20_000
const pollMs = 25

const Submitted = strictObject({
  connectionId: id('The connection whose page has the form.'),
  formId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The form. Default: that of the sandbox.' }),
  ),
  answers: Type.Record(Type.String({ pattern: '^[^]{1,200}$' }), Type.String({ maxLength: 5000 }), {
    additionalProperties: false,
    maxProperties: 100,
    description:
      'The answers by the key of the question, such as `full_name`, `phone_number` and `email`. The form of the sandbox refuses keys that it does not have.',
  }),
  boxes: Type.Optional(
    Type.Record(Type.String({ pattern: '^[^]{1,200}$' }), Type.Boolean(), {
      additionalProperties: false,
      maxProperties: 50,
      description: 'Which boxes of the consent text are ticked. Default: `{ "contacto": true }`.',
    }),
  ),
  isTest: Type.Optional(Type.Boolean({ description: 'The network made it up. Default: false.' })),
})

const Result = strictObject({
  externalId: Type.String({ description: "The network's id of the lead." }),
  status: oneOf(adLeadStatuses, { description: 'What became of it, see `GET /ads/connections/{id}/leads`.' }),
  leadId: nullable(id('The lead; null: none.')),
})

export const adRoutes = (ads: Ads): Route[] => [
  route({
    method: 'POST',
    path: '/sandbox/ad-leads',
    operation: 'submitSandboxLeadForm',
    tag: 'Sandbox',
    summary: 'Submit the form of a lead ad, as a person does',
    description:
      'It takes the way of any other one: it is stored as a webhook of the network, then read. The reply comes when that is done, or if it waits because the connection is `EXPIRED`.',
    scope: 'any',
    body: Submitted,
    example: {
      connectionId: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f',
      answers: { full_name: 'Marta Soler', phone_number: '+34612345678', cuando: 'Este año' },
      boxes: { contacto: true },
    },
    status: 201,
    reply: Result,
    replyExample: {
      externalId: '233370042045345',
      status: 'taken',
      leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
    },
    errors: [testOnly, notSettled],
    async handle({ body, caller, tx }) {
      assertTest(caller)
      return { externalId: await submit(tx, ads, body), status: 'waiting' as const, leadId: null }
    },
    async finish({ body, caller, database, signal, reply: { externalId } }) {
      const deadlineMs = performance.now() + timeoutMs
      for (;;) {
        const found = await database.readTenant(caller, async tx => {
          const [lead, opened] = await Promise.all([
            findAdLead(tx, body.connectionId, externalId),
            ads.find(tx, body.connectionId),
          ])
          const isDone =
            lead && (lead.status !== 'waiting' || lead.reason || opened?.connection.status === 'EXPIRED')
          return isDone ? lead : undefined
        })
        if (found) return { externalId, status: found.status, leadId: found.leadId }
        if (performance.now() > deadlineMs)
          throw createNotSettled(
            'The form is stored, but not read yet. Send the request again with the same Idempotency-Key to wait for it.',
          )
        await sleep(pollMs, undefined, { signal })
      }
    },
  }),
]

/** Stores it as a webhook does. Returns its id. Throws 400, 404. */
async function submit(tx: Tx, ads: Ads, body: Static<typeof Submitted>): Promise<string> {
  const { connection } = await ads.open(tx, body.connectionId)
  const { formId = sandboxFormId, answers, boxes = { contacto: true }, isTest = false } = body
  if (formId === sandboxFormId) throwIfInvalid(findUnknown(answers, boxes))
  // As many digits as real ones.
  const leadId = `${randomInt(100_000_000, 999_999_999)}${randomInt(1_000_000, 9_999_999)}`
  const content = toSandboxContent({
    id: leadId,
    formId,
    submittedAt: getInstant(tx),
    answers: Object.entries(answers).map(([name, value]) => ({ name, value })),
    boxes: Object.entries(boxes).map(([key, isTicked]) => ({ key, isTicked })),
    ad: { id: null, name: null, campaignId: null, campaignName: null },
    isTest,
  })
  await storeNotices(tx, ads, connection.network, [{ pageId: connection.pageId, formId, leadId, content }])
  return leadId
}

/** What the form of the sandbox does not have: a person could not send it. */
function findUnknown(answers: object, boxes: object): InputError[] {
  const { questions, consent } = sandboxForm
  const find = (field: string, sent: object, known: readonly { key: string }[]): InputError[] =>
    Object.keys(sent)
      .filter(name => !known.some(({ key }) => key === name))
      .map(name => ({
        path: `/${field}/${toPointerPart(name)}`,
        code: 'UNKNOWN_FIELD',
        message: `is unknown: the form has ${known.map(({ key }) => key).join(', ')}`,
      }))
  return [...find('answers', answers, questions), ...find('boxes', boxes, consent?.boxes ?? [])]
}
