import { readFileSync } from 'node:fs'
import { siteAtFirst } from '@vps/shared/site'
import type { FiguresView } from '@vps/shared/status.contract'
import fastify from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSnapshot } from '../../shop/snapshot.js'
import { lookAtServices } from '../../status/look.js'
import { startApp, type TestApp } from '../../testing/app.js'
import { person, type Person } from '../../testing/people.js'
import { lockWaits, whileLocked } from '../../testing/locks.js'
import { statementsOf } from '../../testing/plans.js'
import { addHost, openShop, type Shop } from '../../testing/shop.js'
import { firstAnswers } from './first-answers.js'
import { barePage, publicPage, publicPaths, type PublicPath } from './public-page.js'
import { readShown, registerPages } from './register-pages.js'

const web = (file: string) => readFileSync(new URL(`../../../../web/${file}`, import.meta.url), 'utf8')
const client = {
  html: web('index.html'),
  look: { script: web('public/theme.js'), style: web('public/plain.css') },
  files: { '/sales': ['/assets/sales.js'], '/server-manage/:id?': ['/assets/console.js'] },
}

let app: TestApp
let shop: Shop
let admin: Person
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  await addHost(app, shop)
  admin = await person(app, 'boss', { admin: true })
})
afterEach(() => app.close())

const page = async (path: PublicPath) =>
  publicPage(client, path, await readShown(app.deps), {
    publicUrl: 'https://shop.example.com',
    now: app.deps.now(),
    answers: await firstAnswers(app.deps, path),
  })

test('a public page says without script what is sold at which price, and after a change the new one', async () => {
  const [offer] = (await readSnapshot(app.deps)).priceGroups
  const priceOf = async () => /低至 (¥[\d.,]+)\/月/.exec(await page('/'))?.[1]
  const before = await priceOf()
  expect(await page('/')).toContain(`<th scope="row">${offer?.name}`)
  const discount = { discountPercentage: 50, startTime: null, endTime: null }
  expect((await admin.post(`/price-groups/${offer?.id}/apply-discount`, discount)).status).toBe(200)
  const after = await priceOf()
  expect([before, after].map((price) => price?.startsWith('¥'))).toEqual([true, true])
  expect(after).not.toBe(before)
  expect(await page('/sales')).toContain(`低至 ${after}/月`)
})

test('each has a title, a description, its own address and the same for whoever shares it', async () => {
  const html = await page('/terms')
  expect(html).toContain('<title>服务条款 · 云舟云服务器</title>')
  expect(html).toContain('<link rel="canonical" href="https://shop.example.com/terms" />')
  expect(html).toContain('<meta property="og:title" content="服务条款 · 云舟云服务器" />')
  expect(html).toContain('<meta property="og:image" content="https://shop.example.com/og.jpg" />')
  expect(html).toContain('<h2>退款政策</h2>')
  expect(html).toContain('src="/src/main.tsx"')
})

test('a page carries its look to the letter, as the content policy knows it', async () => {
  const html = await page('/')
  expect(html).toContain(`<script>${client.look.script}</script>`)
  expect(html).toContain(`<style>${client.look.style}</style>`)
  expect(html).not.toContain('src="/theme.js"')
})

test('any other address comes with the bar, but for what fills the window, and names the files of its page', async () => {
  const bare = barePage(client, '/server-manage/o1')
  expect(bare).toContain('<div class="plain">\n<header>')
  expect(bare).toContain('<noscript>请启用 JavaScript 后访问本站。</noscript>')
  expect(bare).toContain(`<style>${client.look.style}</style>`)
  expect(barePage(client, '/remote/s1')).not.toContain('<header>')
  const filesIn = (html: string) =>
    [...html.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/g)].map(([, file]) => file)
  expect([bare, barePage(client, '/nowhere'), await page('/sales'), await page('/')].map(filesIn)).toEqual([
    ['/assets/console.js'],
    [],
    ['/assets/sales.js'],
    [],
  ])
})

test('the answers that a page comes with are those that would be asked for, in a place that nothing can leave', async () => {
  const company = '</script><script>alert(1)</script>'
  expect((await admin.put('/site/settings', { version: 0, company })).status).toBe(200)
  for (const path of publicPaths) {
    const [, text] = /<script type="application\/json">(.*?)<\/script>/s.exec(await page(path)) ?? []
    const answers = JSON.parse(text ?? '') as Record<string, unknown>
    expect(answers['shop.site']).toMatchObject({ company })
    for (const [name, answer] of Object.entries(answers))
      expect((await app.app.inject({ url: `/trpc/${name}` })).json(), name).toEqual({ result: { data: answer } })
  }
})

test('what an administrator writes is text, whatever it is made of', async () => {
  const company = `<script>alert('$&')</script>`
  expect((await admin.put('/site/settings', { version: 0, company })).status).toBe(200)
  const html = await page('/privacy')
  expect(html).toContain('&lt;script&gt;alert(&#39;$&amp;&#39;)&lt;/script&gt;')
  expect(html).not.toContain(company)
  expect(html).toContain(siteAtFirst.email)
})

test('the status page says without script how each service does and what staff told of it, as text', async () => {
  await lookAtServices(app.deps, app.deps.now())
  const report = { title: '<b>中断</b>', services: ['api'], state: 'identified', body: '正在修复 & 观察' }
  expect((await admin.post('/incidents', report)).status).toBe(200)
  await expect.poll(() => page('/status')).toContain('<b>部分服务受影响</b>')
  const html = await page('/status')
  expect(html).toContain('<title>服务状态 · 云舟云服务器</title>')
  expect(html).toContain(
    '<th scope="row">登录与 API</th><td>正常</td><td>近 1 天可用率 100%；无中断；其余 89 天无数据</td>',
  )
  expect(html).toContain('<h3>&lt;b&gt;中断&lt;/b&gt;</h3>')
  expect(html).toContain('已定位：正在修复 &amp; 观察')
  expect(html).toContain('<link rel="alternate" type="application/atom+xml" href="/status/feed.xml" />')
})

test('what is measured is said beside what is promised, once there is enough of it', async () => {
  const shown = await readShown(app.deps)
  const page = (figures: FiguresView) =>
    publicPage(
      client,
      '/',
      { ...shown, figures },
      {
        publicUrl: 'https://shop.example.com',
        now: app.deps.now(),
        answers: '{}',
      },
    )
  expect(page({ availability: null, measuredDays: 0, setUpSeconds: null })).not.toContain('实测')
  const html = page({ availability: 0.99987, measuredDays: 34, setUpSeconds: { p50: 23.4, p95: 61 } })
  expect(html).toContain('<p>可用性：近 34 天实测 99.98%。</p>')
  expect(html).toContain('<p>近 30 天实测：一半在 24 秒内装好，95% 在 1 分 1 秒内。</p>')
})

test('a page names the places of the machines, and lets the browser ask exactly what the operator set to measure them', async () => {
  const pages = fastify()
  pages.addHook('onRequest', async (_request, reply) => {
    reply.raw.setHeader(
      'content-security-policy',
      "default-src 'self';connect-src 'self' wss://shop.example.com;img-src 'self'",
    )
  })
  registerPages(pages, app.deps, client)
  const connect = async () =>
    /connect-src ([^;]*)/.exec(String((await pages.inject({ url: '/terms' })).headers['content-security-policy']))?.[1]
  expect(await connect()).toBe("'self' wss://shop.example.com")
  expect(await page('/')).not.toContain('机房分布')
  const places =
    '上海，31.2，121.5，https://sh.example.com/ping.png\n<东京>，35.7，139.7\n香港，22.3，114.2，/favicon.svg'
  expect((await admin.put('/site/settings', { version: 0, places })).status).toBe(200)
  await expect.poll(connect).toBe("'self' https://sh.example.com wss://shop.example.com")
  expect(await page('/')).toContain('<h2>机房分布</h2><p>上海、&lt;东京&gt;、香港</p>')
  await pages.close()
})

test('crawlers are told the public pages, and not what asks who is there', async () => {
  const robots = (await app.app.inject({ url: '/robots.txt' })).body
  expect(robots).toContain('Disallow: /dashboard')
  expect(robots).toContain('/sitemap.xml')
  const sitemap = (await app.app.inject({ url: '/sitemap.xml' })).body
  const [group] = (await readSnapshot(app.deps)).groups
  for (const path of ['/terms</loc>', '/privacy</loc>', '/status</loc>', `/sales?group=${group?.id}</loc>`])
    expect(sitemap).toContain(path)
})

test('while the database does not answer the client comes with the bar, and nothing is asked of the database', async () => {
  const deps = { ...app.deps, health: { answers: false, clockAheadMs: 0 } }
  const other = fastify()
  registerPages(other, deps, client)
  const statements = await statementsOf(app, async () => {
    expect((await other.inject({ url: '/' })).body).toBe(barePage(client, '/'))
  })
  expect(statements).toEqual([])
  deps.health.answers = true
  expect((await other.inject({ url: '/' })).body).toContain('低至')
  await other.close()
})

test('while the database answers but keeps what a page shows waiting, as under a lock, the client comes with the bar all the same', async () => {
  const other = fastify()
  registerPages(other, { ...app.deps }, client)
  await whileLocked(app.owner, sql`lock table price_groups in access exclusive mode`, async () => {
    expect((await other.inject({ url: '/' })).body).toBe(barePage(client, '/'))
    expect(await lockWaits(app.owner)).toBeGreaterThan(0)
  })
  await expect.poll(async () => (await other.inject({ url: '/' })).body).toContain('低至')
  await other.close()
})
