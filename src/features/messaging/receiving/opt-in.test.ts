/** A user takes an opt-out back, because the person asked for messages again. */
import { describe, expect, test } from 'vitest'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'
const say = (text: string) => inbox.receive([makeMessage(phone, text)])
const getLead = async () => (await inbox.tenant.listAllLeads())[0]!

describe('taking an opt-out back', () => {
  const signIn = () => inbox.tenant.signIn()
  const optIn = (messageId: string) =>
    inbox.tenant.call<{ code: string; text: string; replyToId: string }>(
      'POST',
      `/messages/${messageId}/opt-in`,
    )
  const findSaid = async (said: string) => (await inbox.listMessages()).find(({ text }) => text === said)!.id
  const readReason = async () => (await getLead()).contactability.channels.chat.reason

  test('needs a later message in which the person asks for it, and leaves a note; a new refusal is confirmed again', async () => {
    await signIn()
    await say('ALTA')
    await say('STOP')
    await say('Quiero volver a recibir sus mensajes, gracias')
    for (const said of ['ALTA', 'STOP', 'Quiero volver a recibir sus mensajes, gracias'])
      expect(await optIn(await findSaid(said))).toMatchObject({
        status: 409,
        body: { code: 'INVALID_TRANSITION' },
      })
    expect(await readReason()).toBe('OPTED_OUT')
    await say('Alta.')
    const proof = await findSaid('Alta.')
    expect(await optIn(proof)).toMatchObject({ status: 201, body: { direction: 'note', replyToId: proof } })
    expect(await readReason()).not.toBe('OPTED_OUT')
    expect((await optIn(proof)).status).toBe(409)
    const { id } = await getLead()
    expect(await inbox.listEvents('lead.opted_in')).toMatchObject([
      { leadId: id, channel: 'chat', userId: expect.any(String), lead: { id } },
    ])
    const countConfirmations = async () =>
      (await inbox.listMessages()).filter(({ nature }) => nature === 'opt_out_confirmation').length
    expect(await countConfirmations()).toBe(1)
    for (const repeated of ['Baja', 'BAJA']) {
      await say(repeated)
      expect(await countConfirmations()).toBe(2)
    }
  })

  test('counts the last word of the person: a repeated refusal stays, whichever arrives first', async () => {
    await signIn()
    const now = Temporal.Now.instant()
    const sayAt = (text: string, minute: number) =>
      inbox.receive([makeMessage(phone, text, { at: now.subtract({ minutes: 60 - minute }) })])
    await sayAt('STOP', 0)
    await sayAt('ALTA', 5)
    await sayAt('STOP', 10)
    await sayAt('Alta.', 8)
    for (const said of ['ALTA', 'Alta.']) expect((await optIn(await findSaid(said))).status).toBe(409)
    expect(await readReason()).toBe('OPTED_OUT')
    await sayAt('ALTA!', 11)
    expect((await optIn(await findSaid('ALTA!'))).status).toBe(201)
  })

  test('counts for former addresses too: a later change of the address does not bring the opt-out back', async () => {
    await signIn()
    await say('Hola')
    const { id } = await getLead()
    const change = async (email: string) =>
      expect(
        (await inbox.tenant.call('PATCH', `/leads/${id}`, { body: { contact: { email } } })).status,
      ).toBe(200)
    await change('one@example.com')
    await say('STOP')
    await change('two@example.com')
    await say('ALTA')
    expect((await optIn(await findSaid('ALTA'))).status).toBe(201)
    await change('three@example.com')
    expect(await readReason()).not.toBe('OPTED_OUT')
  })

  test('needs a user', async () => {
    await say('STOP')
    await say('ALTA')
    expect(await optIn(await findSaid('ALTA'))).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE' },
    })
    expect(await readReason()).toBe('OPTED_OUT')
  })

  test('leaves an opt-out of all channels', async () => {
    await signIn()
    await say('Hola')
    await inbox.tenant.call('POST', '/suppressions', {
      body: { identifiers: [{ kind: 'phone', value: phone }], kind: 'opt_out' },
    })
    await say('ALTA')
    expect((await optIn(await findSaid('ALTA'))).status).toBe(409)
    expect(await readReason()).toBe('OPTED_OUT')
  })
})
