/** The HTTP route that changes listings of the simulated portals, for the extractions of one environment. */
import { notFound, Problem, type ProblemType } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { strictObject, Type } from '../../kit/schema.ts'
import { assertTest, testOnly } from '../../kit/test-only.ts'
import { changedListingsMax, changeListing } from './queries.ts'

const price = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description })
const withdrawn = (description: string) => Type.Boolean({ description })

const Change = strictObject(
  {
    price: Type.Optional(price('The new price, in the currency of the listing.')),
    withdrawn: Type.Optional(withdrawn('true: withdrawn from the portals; false: listed again.')),
  },
  { minProperties: 1 },
)

const Listing = strictObject({
  listingId: Type.String({ description: 'The id of the listing, as in `sources` of leads.' }),
  price: price('The price on the portals, in the currency of the listing.'),
  withdrawn: withdrawn('It is withdrawn from the portals.'),
})

const tooMany: ProblemType = {
  code: 'TOO_MANY_LISTINGS',
  status: 409,
  meaning: 'The environment has changed as many simulated listings as it may.',
  action: 'Change one of those again.',
  example: `This environment has changed ${changedListingsMax} listings, the most allowed. You can still change these again.`,
}

/** Finds a listing of the simulator by its id. */
export type FindListing = (listingId: string) => Promise<{ price: number } | undefined>

export const listingRoutes = (findListing: FindListing): Route[] => [
  route({
    method: 'POST',
    path: '/sandbox/listings/{listingId}',
    operation: 'changeSandboxListing',
    tag: 'Sandbox',
    summary: 'Change a listing of the simulated portals',
    description:
      'Changes the price of the listing, withdraws it, or lists it again. The next extractions of this environment see the change on every simulated portal that shows the listing; other environments do not. Omitted fields keep their value.',
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
