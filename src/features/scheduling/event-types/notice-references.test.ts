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
