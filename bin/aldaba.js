#!/usr/bin/env node
// The command `aldaba`: compiled code is kept between calls, which makes the second one twice as fast.
import './check-node.js'
// As a whole: an older Node lacks what is called below, and would not come so far as to say what it should be.
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/aldaba', import.meta.url)))
await import('../src/cli.ts')
