/** The live heap of a program: what is left after its garbage was collected. The inspector of Node reads it. */
import { once } from 'node:events'
import { findFreePort } from './processes.ts'

/** `env`: starts the inspector with the program. */
export async function openHeapReader() {
  const port = await findFreePort()
  return {
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port} --inspect-publish-uid=http` },
    /** In MB, with the contents of buffers. */
    async readMb(): Promise<number> {
      const targets = await fetch(`http://127.0.0.1:${port}/json/list`)
      const [target] = (await targets.json()) as [{ webSocketDebuggerUrl: string }]
      const socket = new WebSocket(target.webSocketDebuggerUrl)
      await once(socket, 'open')
      await callInspector(socket, 'HeapProfiler.collectGarbage')
      const { usedSize = 0, backingStorageSize = 0 } = await callInspector(socket, 'Runtime.getHeapUsage')
      socket.close()
      return (usedSize + backingStorageSize) / 1024 / 1024
    },
  }
}

async function callInspector(socket: WebSocket, method: string): Promise<Record<string, number>> {
  socket.send(JSON.stringify({ id: 1, method }))
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }]
  return (JSON.parse(data) as { result: Record<string, number> }).result
}
