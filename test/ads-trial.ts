/** The simulated lead ads as a trial of `check-ads`: a receiver of webhooks, and people who submit forms. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpClient } from '../src/kit/http/client.ts'
import type { AdsTrial } from '../src/plugins/check-ads-behaviour.ts'
import { type AdsSimulator, startAds } from '../src/simulator/ads/index.ts'

export interface OpenAdsTrial extends AdsTrial {
  simulator: AdsSimulator
  close(): Promise<void>
}

export async function startAdsTrial(bodies: Buffer[] = []): Promise<OpenAdsTrial> {
  const simulator = await startAds()
  const http = createHttpClient({ reach: 'any' })
  const received: { headers: Record<string, string>; body: Buffer }[] = []
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const challenge = new URL(request.url!, 'http://localhost').searchParams.get('hub.challenge')
    if (challenge === null) received.push({ headers: request.headers as Record<string, string>, body })
    response.end(challenge ?? '')
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await simulator.verifyWebhook({ url, verifyToken: 'any' })
  return {
    simulator,
    credentials: { ...simulator.credentials },
    context: { http, baseUrl: simulator.url },
    formId: simulator.forms[0]!.id,
    bodies,
    async submit({ answers, isTicked }) {
      const boxes = { contacto: isTicked, novedades: isTicked }
      simulator.submit({ answers, boxes })
      await simulator.settle()
      return received.at(-1)!
    },
    faults: {
      refuse: ({ status, retryAfterSeconds }) =>
        simulator.faults.add({
          kind: 'page',
          status,
          times: 1,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }),
      clear: simulator.faults.clear,
      revoke: () => simulator.setAccessToken('another token'),
    },
    async close() {
      await Promise.all([simulator.close(), http.close()])
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}
