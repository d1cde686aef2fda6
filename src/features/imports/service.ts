/** The interface of imports for other features: files of leads that are uploaded to a campaign. */
export { createImport, inspectFile, tooManyFiles } from './create.ts'
export { fileExample, fileExamples } from './examples.ts'
export {
  importOfCampaignEnded,
  importOfCampaignUndone,
  leadsOfCampaignComing,
  leadsOfCampaignImported,
} from './hooks.ts'
export { validateMappingText } from './mapping.ts'
export { importKind } from './operation.ts'
export type { FileHead } from './read-head.ts'
export { findRowsOverQuota, readImportReport } from './report.ts'
