/** The CSS of the phone: the whole screen of a phone, and a device in the middle of a larger one. */
export const phoneStyle = `
* { box-sizing: border-box }
html, body { height: 100%; margin: 0 }
body { background: #16323b; color: #14202b; overflow-wrap: anywhere; font: 1rem/1.4 -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.soft { color: #51606c; font-style: italic }
.about { display: none }
.phone { display: flex; flex-direction: column; height: 100%; height: 100dvh; background: #efeae2 }
.phone > header { display: flex; gap: .75rem; align-items: center; padding: .625rem 1rem; background: #0f4c4a; color: #fff }
.avatar { flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: #d5ebe6; color: #0f4c4a; font-weight: 600 }
h1 { margin: 0; font-size: 1.0625rem; line-height: 1.3; font-weight: 600 }
h1 + p { margin: 0; color: #d5ebe6; font-size: .8125rem }
.phone > header div { min-width: 0 }
.thread { flex: 1; min-height: 0; display: flex; flex-direction: column-reverse; overflow-y: auto; overscroll-behavior: contain }
ol { display: flex; flex-direction: column; gap: .375rem; margin: 0 0 auto; padding: .75rem; list-style: none }
ol:empty::before { content: attr(data-empty); align-self: center; margin: 2rem 1rem; padding: .75rem 1rem; border-radius: .75rem; background: #fff8; text-align: center; color: #35444f }
li { max-width: 85%; display: flex; flex-direction: column; gap: .25rem }
li.own { align-self: flex-end; align-items: flex-end }
li.other { align-self: flex-start; align-items: flex-start }
li.day { align-self: center; margin: .5rem 0; padding: .25rem .75rem; border-radius: .5rem; background: #fffc; color: #35444f; font-size: .8125rem }
article { min-width: 5rem; padding: .375rem .625rem; border-radius: .75rem; background: #fff; box-shadow: 0 1px 1px #0002 }
.own article { border-bottom-right-radius: .125rem; background: #d8f5d3 }
.other article { border-bottom-left-radius: .125rem }
article p { margin: .125rem 0; white-space: pre-wrap }
article a { color: #075985 }
.card { display: flex; flex-direction: column }
.reactions { width: fit-content; padding: 0 .375rem; border-radius: 1rem; background: #eef2f4 }
.picture { display: block; margin: 0 -.25rem .25rem }
img, video { display: block; max-width: 100%; width: auto; height: auto; max-height: 18rem; border-radius: .5rem }
audio { display: block; width: 15.5rem; max-width: 100%; height: 2.5rem }
footer { display: flex; gap: .25rem; justify-content: flex-end; align-items: center; color: #51606c; font-size: .75rem }
.ticks { width: 1.125rem; fill: none; stroke: #51606c; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round }
.ticks.read { stroke: #0369a1 }
.choices { align-self: stretch; display: flex; flex-direction: column; gap: .25rem }
details.choices { display: block }
.choices form { margin: 0 }
.choices button, .choices summary { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 0; border-radius: .75rem; background: #fff; color: #075985; box-shadow: 0 1px 1px #0002; font: inherit; font-weight: 600; text-align: center; cursor: pointer }
.choices summary { list-style: none; line-height: 1.75rem }
.choices summary::-webkit-details-marker { display: none }
details.choices form { margin-top: .25rem }
.choices small { display: block; color: #51606c; font-weight: 400 }
.choices h3 { margin: .5rem .25rem .125rem; color: #35444f; font-size: .8125rem }
.notice { margin: 0; padding: .5rem 1rem; background: #fdecc8; color: #5c3d00; font-size: .9375rem }
.reload { display: block; padding: .625rem 1rem; background: #fff; color: #075985; text-align: center }
.write { display: flex; gap: .5rem; align-items: flex-end; padding: .5rem; background: #f4f1eb }
textarea { flex: 1; min-width: 0; min-height: 2.75rem; max-height: 8rem; padding: .625rem 1rem; border: 1px solid #8b969e; border-radius: 1.375rem; background: #fff; color: inherit; font: inherit; line-height: 1.4; resize: none; field-sizing: content }
.attach, .send { flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border: 0; border-radius: 50%; cursor: pointer }
.attach { position: relative; overflow: hidden; background: #fff; color: #35444f }
.attach input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer }
.send { background: #0f4c4a; color: #fff }
.write svg { width: 1.375rem; height: 1.375rem; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
[aria-busy=true] .send { opacity: .5 }
:focus-visible, .attach:focus-within { outline: 3px solid #0284c7; outline-offset: 2px }
@media (min-width: 40rem) and (min-height: 30rem) {
  body { display: flex; gap: 4rem; align-items: center; justify-content: center; padding: 1.5rem; background: radial-gradient(circle at 30% 20%, #2b5a66, #16323b 60%, #0d2129) }
  .phone { width: 24.5rem; height: min(52rem, 100%); border: .75rem solid #05090c; border-radius: 2.75rem; overflow: hidden; box-shadow: 0 0 0 2px #3a4a53, 0 2rem 4rem #0008 }
  .phone > header { padding-top: 1rem }
  .write { padding-bottom: .875rem }
}
@media (min-width: 56rem) and (min-height: 30rem) {
  .about { display: block; width: 20rem; color: #e6f1f2 }
  .about h2 { margin: 0 0 .75rem; font-size: 1.75rem; line-height: 1.2 }
  .about p { margin: 0; line-height: 1.5; color: #c9dee0 }
}
@media (scripting: none) {
  .attach { width: auto; border-radius: 1rem; padding: 0 .5rem }
  .attach svg { display: none }
  .attach input { position: static; width: 8rem; height: auto; opacity: 1 }
}
@media (prefers-reduced-motion: no-preference) { .thread { scroll-behavior: smooth } }
`
