/** The public page on which a visitor says what they think after an appointment. Its link authorizes them. */
import type { Tx } from '../../../kit/db/index.ts'
import { formBody } from '../../../kit/public-body.ts'
import { type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { findShared, type SharedResource } from '../../shares/service.ts'
import { recordFeedback, type VisitorFeedback } from '../appointments/complete.ts'
import { appointmentObjectKind } from '../appointments/links.ts'
import { outcomeResults } from '../appointments/schemas.ts'
import { feedbackTextMax, type TypedFeedback, toFeedbackPage } from './feedback-html.ts'
import { openAppointment, toInterval } from './open-appointment.ts'
import { toQuery } from './visit.ts'
import type { BookingWords } from './words.ts'

/** A character takes up to nine bytes in a form. */
const formBytesMax = 50_000
const empty: TypedFeedback = { result: '', rating: '', text: '', problems: [] }

type Requested = Pick<Parameters<typeof openAppointment>[2], 'query' | 'headers'> & {
  resource: SharedResource
}

const open = (tx: Tx, { resource, query, headers }: Requested) =>
  openAppointment(tx, resource.objectId, { query, headers, logoPath: `../${resource.token}/logo` })

export const feedbackRoute: PublicRoute = publicRoute<SharedResource, 'page', URLSearchParams>({
  path: '/appointment/{token}/feedback',
  kind: 'page',
  limits: { address: 120 },
  findResource: findShared(appointmentObjectKind, id => `appointment ${id}`),
  get: ({ database, ...request }) =>
    database.readTenant(request.resource, async tx => {
      const opened = await open(tx, request)
      if (!opened) return null
      if (opened.feedback !== 'wanted')
        return { redirect: `../${request.resource.token}${toQuery(opened.context.visit)}` }
      return toFeedbackPage(opened.context, { slot: toInterval(opened.appointment), typed: empty })
    }),
  post: {
    body: formBody({ maxBytes: formBytesMax }),
    async handle({ database, body, ...request }) {
      const { resource } = request
      const opened = await database.readTenant(resource, tx => open(tx, request))
      if (!opened) return null
      const { visit } = opened.context
      const done = { redirect: `../${resource.token}${toQuery(visit)}` }
      if (opened.feedback !== 'wanted') return done
      const typed = readTyped(body)
      const feedback = parseFeedback(typed, visit.words)
      if ('problems' in feedback)
        return toFeedbackPage(opened.context, {
          slot: toInterval(opened.appointment),
          typed: { ...typed, problems: feedback.problems },
        })
      await database.withTenant(resource, tx => recordFeedback(tx, resource.objectId, feedback))
      return done
    },
  },
})

const readTyped = (form: URLSearchParams) => ({
  result: form.get('result') ?? '',
  rating: form.get('rating') ?? '',
  text: form.get('text') ?? '',
})

/** Returns what the visitor thinks, or what is wrong. */
function parseFeedback(
  typed: ReturnType<typeof readTyped>,
  { errors }: BookingWords,
): VisitorFeedback | { problems: string[] } {
  const result = outcomeResults.find(result => result === typed.result)
  const text = typed.text.replaceAll('\r\n', '\n').trim()
  if (!result) return { problems: [errors.option] }
  if (text.length > feedbackTextMax) return { problems: [errors.tooLong(feedbackTextMax)] }
  return { result, rating: /^[1-5]$/.test(typed.rating) ? Number(typed.rating) : null, text: text || null }
}
