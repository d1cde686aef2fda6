/** The interface of templates for other features. */

export { recordTemplateFailure } from './approval-events.ts'
export type { AppointmentValues } from './catalogue-variable.ts'
export { findUnusable, listUnfilledByAppointments } from './find-unusable.ts'
export { templateEnding } from './hooks.ts'
export {
  languageMissing,
  missingVariable,
  templateArchived,
  templateErased,
  templateFailed,
} from './problems.ts'
export { findTemplate, findTemplates } from './queries.ts'
export { type RenderedTemplate, renderTemplates } from './render-template.ts'
