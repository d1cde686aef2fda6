/** What other features and the command line ask of valuations. */
export { forgetWords as forgetValuationWords } from './forgetting.ts'
export { logoOf } from './report/logo.ts'
