/** Processor time of processes: on a machine that does other work too, it says more than seconds. */
import { readdir, readFile } from 'node:fs/promises'

const ticksPerSecond = 100

/** Processor time of a process and of its children, also of those that have ended, in ms. */
export async function readCpuMs(pid: number): Promise<number> {
  const stats = (
    await Promise.all((await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(readStat))
  ).filter(stat => stat !== null)
  const own = stats.filter(stat => stat.pid === pid || stat.parentPid === pid)
  const ticks = own
    .map(stat => stat.ticks + (stat.pid === pid ? stat.childTicks : 0))
    .reduce((sum, one) => sum + one, 0)
  return (ticks / ticksPerSecond) * 1000
}

async function readStat(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The name of the program may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user, system, childUser, childSystem] = fields.slice(11, 15) as [number, number, number, number]
  return {
    pid: Number(pid),
    parentPid: fields[1]!,
    ticks: user + system,
    childTicks: childUser + childSystem,
  }
}
