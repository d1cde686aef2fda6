/** Event types refuse what could never work later: unknown accounts, templates and languages, and addresses without a host. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectMailbox } from '../../../../test/notices.ts'
import { findUserId } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const create = async (fields: object) =>
  tenant.call<{ errors: { path: string; code: string }[] }>('POST', '/scheduling/event-types', {
    body: {
      ownerAgentUserId: await findUserId(tenant),
      name: 'Viewing',
      slug: 'viewing',
      durationMin: 45,
      locationMode: 'onsite',
      ...fields,
    },
  })
const findErrors = ({ status, body }: Awaited<ReturnType<typeof create>>) => {
  expect(status).toBe(400)
  return body.errors.map(({ path, code }) => `${path} ${code}`)
}
const remindBefore = (minutesBefore: number, templateId: string | null = null) => ({
  minutesBefore,
  channel: 'email',
  templateId,
})

test.each([
  [{ config: { bookingPage: { language: 'zz' } } }, '/config/bookingPage/language NOT_ALLOWED'],
  [{ config: { bookingPage: { redirectUrl: 'https://' } } }, '/config/bookingPage/redirectUrl WRONG_FORMAT'],
  [{ locationMode: 'video', locationDetails: { url: 'https:///a' } }, '/locationDetails/url WRONG_FORMAT'],
  [{ config: { notices: { emailAccountId: newId() } } }, '/config/notices/emailAccountId UNKNOWN_ACCOUNT'],
  [{ config: { notices: { chatAccountId: newId() } } }, '/config/notices/chatAccountId UNKNOWN_ACCOUNT'],
  [{ config: { reminders: [remindBefore(60, newId())] } }, '/config/reminders/0/templateId UNKNOWN_TEMPLATE'],
  [{ config: { reminders: [remindBefore(60), remindBefore(60)] } }, '/config/reminders/1 DUPLICATE'],
])('is refused: %j', async (fields, error) => expect(findErrors(await create(fields))).toEqual([error]))

test('notices are sent by accounts of their kind', async () => {
  const email = await connectMailbox(tenant)
  const notices = { emailAccountId: email.toUpperCase(), chatAccountId: email }
  expect(findErrors(await create({ config: { notices } }))).toEqual([
    '/config/notices/chatAccountId WRONG_ACCOUNT',
  ])
  const { status } = await create({ config: { notices: { emailAccountId: email } } })
  expect(status).toBe(201)
})

test('a template of a reminder needs no values but those of the visitor and the appointment', async () => {
  const makeTemplate = async (body: string, variables: object[] = []) =>
    (
      await tenant.call<{ id: string }>('POST', '/templates', {
        body: { name: body, language: 'es', category: 'utility', body, variables },
      })
    ).body.id
  const own = { name: 'visit', type: 'text', example: 'mañana' }
  const unfilled = await makeTemplate('Hola {{ visit }}', [own])
  expect(findErrors(await create({ config: { reminders: [remindBefore(60, unfilled)] } }))).toEqual([
    '/config/reminders/0/templateId NEEDS_VALUES',
  ])
  const filled = await Promise.all([
    makeTemplate('Hola, {{ visit }}', [{ ...own, fallback: 'pronto' }]),
    makeTemplate('{{ property.price }} {{ appointment.place }}'),
  ])
  const { status } = await create({
    config: { reminders: filled.map((id, at) => remindBefore(60 + at, id)) },
  })
  expect(status).toBe(201)
})
