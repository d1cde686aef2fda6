/** What other features may do: ask who may be contacted or stored, opt people out, erase them, and forget what they keep of them. */

export { assertContactable } from './assert-contactable.ts'
export { answerContactability, contactFacts } from './contactability.ts'
export { contactableCondition, maybeNotContactable } from './contactable.ts'
export { erasePeople } from './erasure.ts'
export {
  deletePeople,
  type ErasedPeople,
  forgetHistory,
  forgetMessages,
  forgetPeople,
  peopleOptedOut,
  type Traces,
} from './hooks.ts'
export { errorsOfBasis, type ReadBasis, readBasis } from './lawful-basis.ts'
export { optOut } from './opt-outs.ts'
export { asIdentifier, findLeadsOfPeople, isProfessional } from './person.ts'
export { columnsOfPeople, familyOf, findFamily, formerLeads } from './related-leads.ts'
export { retentionMonths } from './settings.ts'
export { advertIdentifier, findErased, hasErased, noteSuppressed } from './suppression-list.ts'
