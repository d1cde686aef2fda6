/** The entry point of `npx aldaba …`. Every command works beside a running server. */
import { createProgram } from './cli/program.ts'

await createProgram()
  .parseAsync()
  .catch(error => {
    console.error((error as Error).message)
    process.exitCode = 1
  })
