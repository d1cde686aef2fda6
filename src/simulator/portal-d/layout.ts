/** The frame of portal_d's pages: a Portuguese classifieds site of the 2000s. */
import { operations, propertyTypes } from '../listing.ts'
import { formatPageDay } from './dates.ts'
import { encodeWindows1252 } from './windows-1252.ts'
import {
  categoryLabels,
  categoryWords,
  getZoneName,
  operationLabels,
  operationWords,
  zoneIds,
} from './words.ts'

const styles = `
body{margin:0;background:#e8eef4 url(/img/fundo.gif) repeat-x;font:11px Verdana,Arial,Helvetica,sans-serif;color:#333}
a{color:#039;text-decoration:none}a:hover{color:#c30;text-decoration:underline}img{border:0}
#pagina{width:960px;margin:0 auto;background:#fff;border:1px solid #9bb}#topo{height:70px;background:#036 url(/img/topo.jpg);position:relative}
#logotipo{position:absolute;left:12px;top:14px;font:bold 26px Georgia,serif;color:#fff}#data_hoje{position:absolute;right:12px;top:10px;color:#cde}
#menu{background:#c30;height:24px;line-height:24px;padding-left:10px}#menu a{color:#fff;font-weight:bold;margin-right:14px}
#esquerda{float:left;width:170px;padding:8px;background:#f3f7fa}#conteudo{float:left;width:590px;padding:8px}#direita{float:right;width:160px;padding:4px}
.tit_lista{font:bold 16px Georgia,serif;color:#036;margin:4px 0}.resultados{background:#ffc;border:1px solid #ec6;padding:4px;margin:4px 0}
.anuncio{border-bottom:1px dotted #999;padding:8px 0;overflow:hidden;clear:both}.destaque{background:#fffbe6}.foto{float:left;width:124px}.dados{margin-left:132px}
.titulo a{font-weight:bold;font-size:12px}.preco{color:#c30;font-weight:bold;font-size:14px;margin:3px 0}.carac{color:#555}.local,.data,.quem{font-size:10px;color:#777}
.paginas{text-align:center;padding:8px}.paginas a,.paginas b{padding:2px 5px;border:1px solid #9bb}.ficha .linha{border-bottom:1px solid #eee;overflow:hidden}
.rot{float:left;width:150px;color:#777;padding:2px}.val{margin-left:160px;padding:2px}.contacto{background:#eef5e6;border:1px solid #9c6;padding:8px;margin-top:8px}
.extras{columns:2;margin:4px 0;padding-left:18px}#rodape{clear:both;border-top:2px solid #036;padding:8px;font-size:10px;color:#777;text-align:center}
`
const pageScript = `
function verTelefone(f){var x=window.ActiveXObject?new ActiveXObject('Microsoft.XMLHTTP'):new XMLHttpRequest();
x.open('POST',f.action,true);x.setRequestHeader('Content-Type','application/x-www-form-urlencoded');
x.onreadystatechange=function(){if(x.readyState==4&&x.status==200)document.getElementById('tel').innerHTML=x.responseText};
x.send('id='+escape(f.id.value)+'&token='+escape(f.token.value));return false}
function abreMapa(lat,lon){window.open('/mapa.asp?lat='+lat+'&lon='+lon,'mapa','width=500,height=400,scrollbars=no');return false}
function guarda(id){var c=document.cookie.match(/favoritos=([^;]*)/);document.cookie='favoritos='+(c?c[1]+',':'')+id+';path=/';alert('Anuncio guardado.');return false}
function trocaFoto(n){document.getElementById('grande').src=n;return false}
`

const pageHead = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">
<meta http-equiv="Content-Language" content="pt">
`
const sideColumn = `<div id="esquerda"><b>Pesquisa rápida</b>
<form action="/pesquisa.asp" method="get" name="pesq">
<select name="op">${operations.map(name => `<option value="${operationWords[name]}">${operationLabels[name]}</option>`).join('')}</select>
<select name="cat">${propertyTypes.map(name => `<option value="${categoryWords[name]}">${categoryLabels[name]}</option>`).join('')}</select>
<select name="zona">${zoneIds.map(zone => `<option value="${zone}">${getZoneName(zone)}${/-\d\d$/.test(zone) ? ' (distrito)' : ''}</option>`).join('')}</select>
Preço: <input type="text" name="pmin" size="6"> a <input type="text" name="pmax" size="6"> €
Tipologia: T<input type="text" name="tmin" size="1"> a T<input type="text" name="tmax" size="1">
<input type="submit" value="Procurar"></form>
<br><b>Mais procurados</b><br>
${zoneIds.flatMap(zone => propertyTypes.map(type => `<a href="/pesquisa.asp?op=vender&amp;cat=${categoryWords[type]}&amp;zona=${zone}">${categoryLabels[type]} em ${getZoneName(zone)}</a><br>`)).join('\n')}
</div>
`
const pageFooter = `<div id="direita"><img src="/img/pub_160x600.gif" width="160" height="600" alt="Publicidade"></div>
<div id="rodape"><a href="/ajuda.asp">Ajuda</a> | <a href="/condicoes.asp">Condições de utilização</a> | <a href="/privacidade.asp">Privacidade</a> | <a href="/contactos.asp">Contactos</a><br>
Portal D é um portal simulado: os seus anúncios não existem.</div>
</div>
<script language="JavaScript" type="text/javascript">${pageScript}</script>
</body>
</html>
`

/** A whole page in the portal's encoding; `content` is between sidebar and footer. */
export function renderPage(nowMs: number, title: string, content: string): Buffer {
  return encodeWindows1252(`${pageHead}<title>${title} - Portal D</title>
<style type="text/css">${styles}</style>
</head>
<body>
<div id="pagina">
<div id="topo"><div id="logotipo">Portal D</div><div id="data_hoje">${formatPageDay(nowMs)}</div></div>
<div id="menu"><a href="/">Início</a><a href="/publicar.asp">Publicar anúncio</a><a href="/acesso.asp">A minha conta</a><a href="/ajuda.asp">Ajuda</a></div>
${sideColumn}<div id="conteudo">
${content}
</div>
${pageFooter}`)
}

/** A page with a single message. */
export function renderMessagePage(nowMs: number, title: string, className: string, text: string): Buffer {
  return renderPage(nowMs, title, `<div class="${className}"><h1>${title}</h1><p>${text}</p></div>`)
}
