/** Rules about settings that their schemas cannot express. */
import { findCronError } from '../../../domain/run-schedule.ts'
import type { InputError } from '../../../kit/problem.ts'
import { checkTimezone } from '../../../kit/time-zone.ts'
import { checkNotifications } from './complete-notifications.ts'
import { toRegion } from './pace.ts'
import { type CampaignSettings, type CampaignSettingsInput, regionsMax } from './settings-schemas.ts'

const path = '/settings'
/** The clocks of client and server differ. */
const clockToleranceMs = 5 * 60_000

/** Rules about the values of a request alone. Invalid values are missing, nested ones too. */
export const checkSettings = (settings: CampaignSettingsInput, now: Date): InputError[] => [
  ...checkTimezone(settings.schedule?.timezone, `${path}/schedule/timezone`),
  ...checkTimezone(settings.sendWindow?.timezone, `${path}/sendWindow/timezone`),
  ...checkRuns(settings.schedule ?? {}),
  ...checkRegions(settings.sendWindow?.holidays ?? []),
  ...checkSteps(settings.steps ?? []),
  ...checkBasis(settings.lawfulBasis ?? {}, now),
  ...checkTexts(settings.ai ?? {}),
  ...checkNotifications(settings.notifications),
]

type Schedule = NonNullable<CampaignSettingsInput['schedule']>

function checkRuns({ everyMinutes, cron }: Partial<Schedule>): InputError[] {
  if (cron == null) return []
  const at = `${path}/schedule/cron`
  const error = findCronError(cron)
  if (error) return [{ path: at, ...error }]
  return everyMinutes == null
    ? []
    : [{ path: at, code: 'CONTRADICTION', message: 'cannot be sent with everyMinutes' }]
}

/** The holidays of a region take milliseconds to compute. */
function checkRegions(holidays: string[]): InputError[] {
  if (holidays.filter(toRegion).length <= regionsMax) return []
  const message = `must have at most ${regionsMax} countries and regions`
  return [{ path: `${path}/sendWindow/holidays`, code: 'TOO_MANY', message }]
}

type SentStep = Partial<NonNullable<CampaignSettingsInput['steps']>[number]>

/** The templates of a step are compared, so each is another one. */
const checkSteps = (steps: SentStep[]): InputError[] =>
  steps.flatMap(({ templateId, variants = [] }, index) => {
    const seen = new Set(templateId === undefined ? [] : [templateId.toLowerCase()])
    return variants.flatMap(({ templateId: other }, at) => {
      const id = other?.toLowerCase()
      if (id === undefined || !seen.has(id)) {
        if (id !== undefined) seen.add(id)
        return []
      }
      const variantPath = `${path}/steps/${index}/variants/${at}/templateId`
      return [{ path: variantPath, code: 'DUPLICATE', message: 'is the template of the step twice' }]
    })
  })

type SentBasis = Partial<NonNullable<CampaignSettingsInput['lawfulBasis']>>

function checkBasis({ kind, note, attestedAt }: SentBasis, now: Date): InputError[] {
  const errors: InputError[] = []
  if (kind === 'consent' && (note ?? null) === null)
    errors.push({
      path: `${path}/lawfulBasis/note`,
      code: 'REQUIRED',
      message: 'is required for consent: its words, and where it was given',
    })
  if (attestedAt !== undefined && Date.parse(attestedAt) > now.getTime() + clockToleranceMs)
    errors.push({ path: `${path}/lawfulBasis/attestedAt`, code: 'TOO_LATE', message: 'is in the future' })
  return errors
}

/** Everything that is written for the AI: lists of campaigns and requests to the provider contain it. */
const textsMaxLength = 20_000

function checkTexts({
  instructions = '',
  handoffKeywords = [],
  faq = [],
  questions = [],
}: NonNullable<CampaignSettingsInput['ai']>): InputError[] {
  const texts = [
    instructions,
    ...handoffKeywords,
    ...faq.flatMap(({ question = '', answer = '' }) => [question, answer]),
    ...questions.flatMap(({ question = '', options = [] }) => [question, ...options]),
  ]
  const errors: InputError[] = []
  if (texts.join('').length > textsMaxLength)
    errors.push({
      path: `${path}/ai`,
      code: 'TOO_LONG',
      message: `must have at most ${textsMaxLength} characters in all texts together`,
    })
  return [...errors, ...checkQuestions(questions)]
}

type SentQuestion = Partial<NonNullable<NonNullable<CampaignSettingsInput['ai']>['questions']>[number]>

/** Each fills a field of its own, with a bounded vocabulary. */
function checkQuestions(questions: SentQuestion[]): InputError[] {
  const seen = new Set<string>()
  return questions.flatMap(({ field = '', kind, options = [], min, max }, index) => {
    const own = `${path}/ai/questions/${index}`
    const isTaken = field !== '' && seen.has(field)
    seen.add(field)
    return [
      ...(isTaken
        ? [{ path: `${own}/field`, code: 'DUPLICATE', message: 'is the field of two questions' }]
        : []),
      ...(kind === 'choice' && options.length < 2
        ? [
            {
              path: `${own}/options`,
              code: 'TOO_FEW',
              message: 'must have at least two answers to choose from',
            },
          ]
        : []),
      ...(min != null && max != null && min > max
        ? [{ path: `${own}/max`, code: 'CONTRADICTION', message: 'must not be less than min' }]
        : []),
    ]
  })
}

/** Rules about complete settings. `hasErrorsAt`: for values that were refused already. */
export function checkComplete(
  { schedule, sendWindow }: CampaignSettings,
  hasErrorsAt: (path: string) => boolean = () => false,
): InputError[] {
  const errors: InputError[] = []
  const isKnown = (group: string, names: string[]) =>
    !names.some(name => hasErrorsAt(`${path}/${group}/${name}`))
  if (schedule?.startAt && schedule.endAt && schedule.startAt >= schedule.endAt)
    if (isKnown('schedule', ['startAt', 'endAt']))
      errors.push({ path: `${path}/schedule/endAt`, code: 'CONTRADICTION', message: 'must be after startAt' })
  if (sendWindow && sendWindow.from >= sendWindow.to && isKnown('sendWindow', ['from', 'to']))
    errors.push({ path: `${path}/sendWindow/to`, code: 'CONTRADICTION', message: 'must be after from' })
  return errors
}
