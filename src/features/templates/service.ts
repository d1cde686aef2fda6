/** The interface of templates for other features. */

export { recordTemplateFailure } from './approval-events.ts'
export { missingVariable } from './problems.ts'
export { renderTemplate } from './render-template.ts'
