/** Checks what an ad network reads, on a server with a page whose forms people submit meanwhile. */
import type { AdContext, AdError, AdErrorCode, AdForm, AdLead, AdNetwork } from './ads.ts'
import { findAdErrorProblem } from './check-ads-calls.ts'

/** A server of the network, the hand of the people who submit forms, and what can go wrong on request. */
export interface AdsTrial {
  credentials: Record<string, unknown>
  context: Omit<AdContext, 'signal'>
  /** A form with a consent text that has at least one box. */
  formId: string
  /** Real bodies of webhooks. */
  bodies: Buffer[]
  /** Somebody submits the form; the boxes are ticked or not. Returns the body of the webhook, with its headers. */
  submit(lead: {
    answers: Record<string, string>
    isTicked: boolean
  }): Promise<{ headers: Record<string, string>; body: Buffer }>
  faults: {
    /** The next requests are refused. */
    refuse(reply: { status: number; retryAfterSeconds?: number }): void
    clear(): void
    /** The access has ended. */
    revoke(): void
  }
}

type Expect = (sentence: string, isTrue: boolean, found?: unknown) => void

/** One sentence per problem. */
export async function checkAdsBehaviour(network: AdNetwork, trial: AdsTrial): Promise<string[]> {
  const problems: string[] = []
  const expect: Expect = (sentence, isTrue, found) => {
    if (!isTrue) problems.push(`${sentence}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`)
  }
  try {
    await checkReading(network, trial, expect)
    await checkErrors(network, trial, expect)
  } catch (error) {
    problems.push(`the trial must succeed: ${(error as Error).message}`)
  }
  return problems
}

const open = ({ context }: AdsTrial): AdContext => ({ ...context, signal: AbortSignal.timeout(30_000) })

async function checkReading(network: AdNetwork, trial: AdsTrial, expect: Expect): Promise<void> {
  const { credentials, formId } = trial
  const page = await network.connect(credentials, open(trial))
  expect('`connect` must return the page', page.id !== '' && page.name !== '', page)
  const forms = await network.listForms(credentials, open(trial))
  const form = forms.find(({ id }) => id === formId)
  expect('`listForms` must return the form of the trial', form !== undefined && forms.every(isForm), forms)
  expect('`listForms` must return the boxes of its consent text', (form?.consent?.boxes.length ?? 0) > 0)

  const answers = { full_name: 'Marta Soler', '¿cuándo?': 'Pronto, «ya»' }
  const posted = await trial.submit({ answers, isTicked: true })
  expect('`webhook.verify` must accept its own body', network.webhook.verify(posted, { credentials }))
  const changed = Buffer.from(
    posted.body.toString().replace(/\d(?=")/, digit => String((Number(digit) + 1) % 10)),
  )
  expect(
    '`webhook.verify` must refuse a changed body',
    !network.webhook.verify({ ...posted, body: changed }, { credentials }),
  )
  const notices = network.webhook.parse(posted.body) ?? []
  const [notice] = notices
  const isRight = notices.length === 1 && notice!.pageId === page.id && notice!.formId === formId
  expect('`webhook.parse` must return the lead, with its page and form', isRight, notices)
  const lead = await network.readLead(credentials, notice!, open(trial))
  expect(
    '`readLead` must return the lead that was requested',
    lead.id === notice!.leadId && isLead(lead),
    lead,
  )
  const values = Object.fromEntries(lead.answers.map(({ name, value }) => [name, value]))
  expect('`readLead` must return the answers', JSON.stringify(values) === JSON.stringify(answers), values)
  expect(
    '`readLead` must know which boxes are ticked',
    lead.boxes.length > 0 && lead.boxes.every(b => b.isTicked),
  )

  const second = await trial.submit({ answers, isTicked: false })
  const [next] = network.webhook.parse(second.body) ?? []
  const listed: AdLead[] = []
  let cursor: string | null = null
  do {
    const options = { formId, since: lead.submittedAt, cursor }
    const found = await network.listLeads(credentials, options, open(trial))
    listed.push(...found.leads)
    cursor = found.cursor
  } while (cursor !== null)
  const ids = listed.map(({ id }) => id)
  expect(
    '`listLeads` must return every lead since the time once',
    new Set(ids).size === ids.length && [lead.id, next!.leadId].every(id => ids.includes(id)),
    ids,
  )
  const unticked = listed.find(({ id }) => id === next!.leadId)
  expect('`listLeads` must know which boxes are not ticked', unticked?.boxes.every(b => !b.isTicked) === true)
  const later = lead.submittedAt.add({ hours: 24 })
  const none = await network.listLeads(credentials, { formId, since: later, cursor: null }, open(trial))
  expect('`listLeads` must leave out leads that are older', none.leads.length === 0)
  await network.disconnect(credentials, open(trial))
  await network.connect(credentials, open(trial))
}

const retryAfterSeconds = 30

/** What the statuses mean. */
const meanings: [status: number, code: AdErrorCode][] = [
  [404, 'NOT_FOUND'],
  [429, 'RATE_LIMITED'],
  [500, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
]

async function checkErrors(network: AdNetwork, trial: AdsTrial, expect: Expect): Promise<void> {
  const { credentials, formId, faults } = trial
  const list = () => network.listForms(credentials, open(trial))
  const expectError = async (what: string, code: AdErrorCode, call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (thrown: AdError) => thrown,
    )
    const problem = error ? findAdErrorProblem(error) : 'must fail'
    expect(`${what} ${problem}`, problem === null)
    expect(`${what} must fail with ${code}`, error?.code === code, error?.code)
    return error
  }
  for (const [status, code] of meanings) {
    faults.refuse({ status, retryAfterSeconds })
    const what = `\`listForms\` that is refused with ${status}`
    const error = await expectError(what, code, list())
    const waitMs = status === 429 || status === 503 ? retryAfterSeconds * 1000 : error?.retryAfterMs
    expect(`${what} must have the wait of Retry-After`, error?.retryAfterMs === waitMs)
    faults.clear()
  }
  await expectError(
    '`readLead` of a lead that does not exist',
    'NOT_FOUND',
    network.readLead(credentials, { leadId: '1', content: null }, open(trial)),
  )
  faults.revoke()
  const since = Temporal.Instant.from('2026-01-01T00:00:00Z')
  const ended: [string, Promise<unknown>][] = [
    ['`connect`', network.connect(credentials, open(trial))],
    ['`listForms`', list()],
    ['`readLead`', network.readLead(credentials, { leadId: '1', content: null }, open(trial))],
    ['`listLeads`', network.listLeads(credentials, { formId, since, cursor: null }, open(trial))],
  ]
  for (const [name, call] of ended)
    await expectError(`${name} after the access has ended`, 'INVALID_CREDENTIALS', call)
}

const isForm = ({ id, name, isActive, questions, consent }: AdForm): boolean =>
  id !== '' &&
  name !== '' &&
  typeof isActive === 'boolean' &&
  questions.every(({ key, label }) => key !== '' && label !== '') &&
  (consent === null || consent.boxes.every(({ key, text }) => key !== '' && text !== ''))

const isLead = ({ id, formId, submittedAt, answers, boxes, isTest }: AdLead): boolean =>
  id !== '' &&
  formId !== '' &&
  submittedAt instanceof Temporal.Instant &&
  answers.length <= 100 &&
  answers.every(({ name, value }) => name !== '' && value.length <= 5000) &&
  boxes.every(({ key, isTicked }) => key !== '' && typeof isTicked === 'boolean') &&
  typeof isTest === 'boolean'
