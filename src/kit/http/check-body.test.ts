/** Errors of the schema and errors that only code can find are reported in one reply. */
import { expect, it } from 'vitest'
import { checkBody } from './check-body.ts'

const error = (path: string) => ({ path, code: 'ANY', message: 'is wrong' })

/** What a check is given for a body with these known errors. */
function givenTo(body: unknown, ...paths: string[]): unknown {
  let given: unknown = 'nothing'
  checkBody(
    fitting => {
      given = fitting
      return []
    },
    body,
    paths.map(error),
  )
  return given
}

it('gives the check what fits the schema, nested as well', () => {
  const body = { changes: { status: 'odd', lawfulBasis: { kind: 1, expiresAt: 'then' } }, ids: ['a', 2] }
  expect(givenTo(body, '/changes/status', '/changes/lawfulBasis/kind', '/ids/1')).toEqual({
    changes: { lawfulBasis: { expiresAt: 'then' } },
  })
  expect(body.changes.status).toBe('odd')
})

it('reads the escapes of a pointer, and leaves out the whole field of one that was cut', () => {
  expect(givenTo({ headers: { 'a/b~c': 1, d: 2 } }, '/headers/a~1b~0c')).toEqual({ headers: { d: 2 } })
  expect(givenTo({ headers: { d: 2 }, url: 'u' }, `/headers/${'x'.repeat(290)}…`)).toEqual({ url: 'u' })
})

it('touches nothing outside the body', () => {
  expect(givenTo({ a: 1 }, '/__proto__/toString', '/constructor/name', '/b/c')).toEqual({ a: 1 })
  expect({}.toString).toBeTypeOf('function')
})

it('reports nothing twice, nor an error of a field that has errors within', () => {
  const check = () => [error('/ids'), error('/name'), error('/place')]
  expect(checkBody(check, {}, [error('/ids/3'), error('/name')])).toEqual([error('/place')])
})

it('does not check what is no object, or has more errors than a reply lists', () => {
  expect(givenTo([], '')).toBe('nothing')
  expect(givenTo({ a: 1 }, ...Array.from({ length: 101 }, (_, at) => `/b/${at}`))).toBe('nothing')
})
