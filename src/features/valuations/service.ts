/** What the command line asks of valuations. */
export { logoOf } from './report/logo.ts'
