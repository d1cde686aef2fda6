/** Adverts of the simulated portals, changed for the extractions of this environment. */
import { notFound, Problem, type ProblemType } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { strictObject, Type } from '../../kit/schema.ts'
import { changedListingsMax, changeListing } from './queries.ts'
import { assertTest, testOnly } from './test-only.ts'

const price = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description })
const withdrawn = (description: string) => Type.Boolean({ description })

const Change = strictObject(
  {
    price: Type.Optional(price('The new price, in the currency of the listing.')),
    withdrawn: Type.Optional(withdrawn('true: taken off the portals; false: advertised again.')),
  },
  { minProperties: 1 },
)

const Listing = strictObject({
  listingId: Type.String({ description: 'The id of the listing, as in `sources` of leads.' }),
  price: price('The price that it is advertised at.'),
  withdrawn: withdrawn('Whether it was taken off the portals.'),
})

const tooMany: ProblemType = {
  code: 'TOO_MANY_LISTINGS',
  status: 409,
  example: `This environment has changed ${changedListingsMax} adverts: change one of these again.`,
}

/** An advert of the simulator by its id. */
export type FindListing = (listingId: string) => Promise<{ price: number } | undefined>

export const listingRoutes = (findListing: FindListing): Route[] => [
  route({
    method: 'POST',
    path: '/sandbox/listings/{listingId}',
    operation: 'changeSandboxListing',
    tag: 'Sandbox',
    summary: 'Change an listing of the simulated portals',
    description:
      'The next extractions of this environment, and no others, find the listing with its new price, withdrawn, or advertised again. All simulated portals that show the listing show the change.',
    scope: 'any',
    params: strictObject({
      listingId: Type.String({ minLength: 1, maxLength: 64, description: 'The id of the listing.' }),
    }),
    body: Change,
    example: { price: 245_000 },
    status: 200,
    reply: Listing,
    replyExample: { listingId: '30417265', price: 245_000, withdrawn: false },
    errors: [testOnly, tooMany],
    async prepare({ params, caller }) {
      assertTest(caller)
      const listing = await findListing(params.listingId)
      if (!listing) throw notFound('listing')
      return listing
    },
    async handle({ params, body, tx, prepared }) {
      const changed = await changeListing(tx, params.listingId, body)
      if (!changed) throw new Problem(tooMany, tooMany.example)
      return {
        listingId: params.listingId,
        price: changed.price ?? prepared.price,
        withdrawn: changed.isWithdrawn,
      }
    },
  }),
]
