/** Unknown portals in PORTAL_URLS: the server does not start, and `doctor` reports them. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../bin/aldaba.js', import.meta.url))
const examples = fileURLToPath(new URL('../docs/examples/portals/', import.meta.url))

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command with an empty data directory, and checks that it stays empty. */
function runAldaba(command: string, env: Record<string, string>): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aldaba-main-'))
  onTestFinished(() => {
    expect(readdirSync(dataDir)).toEqual([])
    rmSync(dataDir, { recursive: true })
  })
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [program, command],
      { env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', ...env }, timeout: 150_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

describe('the URL of an unknown portal', () => {
  const portalUrls = 'portal_a=http://127.0.0.1:9,portal_zz=http://id:hunter2@127.0.0.1:9'

  it.each([
    ['', {}],
    [', my_portal', { PORTALS_DIR: examples }],
  ])('is refused at the start with a list of portals: portal_a, …%s', async (more, env) => {
    const { code, stdout, stderr } = await runAldaba('serve', { PORTAL_URLS: portalUrls, ...env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(
        `^Aldaba can't start with this configuration:\n {2}PORTAL_URLS contains portal_zz, which is not a portal. Portals: portal_a, .*portal_h${more}\n$`,
      ),
    )
  })

  it('is reported by doctor', async () => {
    const { code, stdout } = await runAldaba('doctor', { PORTAL_URLS: portalUrls })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL +configuration +PORTAL_URLS contains portal_zz, which .*portal_a, /m)
    expect(stdout).not.toContain('hunter2')
  })
})
