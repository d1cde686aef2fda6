/** The ad networks that the program has. */
import type { AdNetwork } from '../ads.ts'
import { meta } from './meta/index.ts'

export const adNetworks: AdNetwork[] = [meta as AdNetwork]
