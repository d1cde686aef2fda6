/** What the command line asks of valuations. */
export { logoOf } from '../../documents/logo.ts'
