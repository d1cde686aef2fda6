/** The interface of templates for other features. */

export { recordTemplateFailure } from './approval-events.ts'
export { missingVariable } from './problems.ts'
export { type RenderedTemplate, type RenderRequest, renderTemplate } from './render-template.ts'
export { getTemplateVersions, type TemplateVersion } from './versions.ts'
