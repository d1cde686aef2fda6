/** The command refuses Node versions that are too old. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const program = new URL('bin/aldaba.js', root).pathname
const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const [major, minor] = engines.node.match(/\d+/g).map(Number)

/** Runs the command with a faked Node version. */
function runAldaba(version: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, program, '--help']
  return new Promise(resolve => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

test.each(['20.20.2', `${major}.${minor - 1}.9`, `${major - 1}.99.0`])('%s is too old', async version => {
  const { code, stdout, stderr } = await runAldaba(version)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    `Aldaba requires Node ${major}.${minor} or newer; this is ${version}. After npm ci, "npx aldaba" and "npm start" use the Node that comes with Aldaba on Linux (glibc) and macOS (x64, arm64); elsewhere, install Node yourself.\n`,
  )
})

test.each([`${major}.${minor}.0`, `${major + 1}.0.0`])('%s is supported', async version => {
  const { code, stdout } = await runAldaba(version)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Usage: aldaba/)
})
