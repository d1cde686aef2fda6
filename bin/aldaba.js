#!/usr/bin/env node
/** The command `aldaba`. Compiled code is cached, which makes the second call twice as fast. */
import './check-node.js'
// A namespace, because an older Node lacks `enableCompileCache`: a named import would fail before the check of Node runs.
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/aldaba', import.meta.url)))
await import('../src/cli.ts')
