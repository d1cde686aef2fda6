/** The events that end sequences, let them go on, or take messages back. */
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import type { EventDefinition } from '../../../kit/events/event.ts'
import type { TObject, Type } from '../../../kit/schema.ts'
import { leadOptedIn, leadOptedOut, leadReplied, leadUpdated } from '../../leads/events.ts'
import { appointmentBooked } from '../../scheduling/events.ts'
import { recordOutcome } from '../outcomes/record-outcome.ts'
import type { EngineDependencies } from './dependencies.ts'
import { answeredStatuses } from './recipient-rows.ts'
import { reviewLead } from './review.ts'

/** Changes of a lead that say nothing of its place in a campaign. */
const irrelevant: readonly string[] = ['contacted', 'note_added', 'note_changed', 'note_deleted']

export const reviewWhenLeadChanges = (dependencies: EngineDependencies) =>
  defineEventHandler({
    name: 'review-campaigns-of-lead',
    on: [leadUpdated],
    async handle(tx, { data: { leadId, cause, changes } }) {
      if (irrelevant.includes(cause)) return
      await reviewLead(tx, dependencies, leadId, { revivesOnly: isBasisGained(changes) })
      if (changes.some(isAnswer)) await recordOutcome(tx, leadId, 'reply')
    },
  })

interface Change {
  field: string
  before: unknown
  after: unknown
}

/** It ends no sequence. A campaign that attests one for its people changes no more than that of each. */
const isBasisGained = (changes: readonly Change[]): boolean =>
  changes.every(({ field }) => /^(lawfulBasis|consentAt)/.test(field)) &&
  changes.some(({ field, before }) => field === 'lawfulBasis' && before === null)

/** A user has noted that the person answered elsewhere. */
const isAnswer = ({ field, after }: Change): boolean =>
  field === 'status' && answeredStatuses.some(status => status === after)

/** Only the lead is read of their data. */
const acts = [leadReplied, leadOptedOut, leadOptedIn] as unknown as EventDefinition<
  TObject<{ leadId: Type.TString }>
>[]

export const reviewWhenPersonActs = (dependencies: EngineDependencies) =>
  defineEventHandler({
    name: 'review-campaigns-of-person',
    on: acts,
    handle: (tx, { data: { leadId } }) => reviewLead(tx, dependencies, leadId),
  })

export const reviewWhenBooked = (dependencies: EngineDependencies) =>
  defineEventHandler({
    name: 'review-campaigns-of-visitor',
    on: [appointmentBooked],
    async handle(tx, { data: { leadId } }) {
      if (leadId) await reviewLead(tx, dependencies, leadId)
    },
  })
