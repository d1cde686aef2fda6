/** The hooks with which campaigns take the leads of ads. */
import { hook } from '../../kit/hook.ts'

/** Called before leads are stored. The handler returns the campaign of each form that has one. */
export const assignAdLeads = hook<{ connectionId: string; formIds: string[] }, Map<string, string>>(
  'assignAdLeads',
)

/** Called after leads were stored, in the same transaction, as its last step. */
export const adLeadsTaken = hook<{ connectionId: string; leads: { leadId: string; formId: string }[] }>(
  'adLeadsTaken',
)
