/** Serves a page of a site with the snippet of a widget: `node docs/examples/widget-site.ts SNIPPET`. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file with the snippet.')
const page = await readFile(new URL('widget.html', import.meta.url), 'utf8')
const snippet = await readFile(file, 'utf8')

const port = Number(process.env.PORT ?? 8080)
createServer((_request, reply) => {
  reply
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .end(page.replace('<!-- snippet -->', () => snippet))
}).listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}`))
