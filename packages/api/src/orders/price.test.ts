import { fen } from '@vps/shared/money'
import { expect, test } from 'vitest'
import { everyRow } from '../testing/rows.js'
import { openSale } from '../testing/sale.js'

const elsewhere = JSON.stringify({ cpu_cores: 4, memory: 8, disk_space: 40, network_speed: 100, ip_count: 1 })

test('an unpaid order whose plan, system or period is sold no more or became another says so when it is paid, and what to do', async () => {
  const { app, lin, place } = await openSale()
  try {
    const plan = (change: object) => app.db.updateTable('price_groups').set(change).execute()
    const image = (change: object) => app.db.updateTable('images').set(change).execute()
    const id = await place()
    for (const [gone, back, code] of [
      [() => image({ is_active: false }), () => image({ is_active: true }), 'UNKNOWN_IMAGE'],
      [() => plan({ sales_page_html: elsewhere }), () => plan({ sales_page_html: null }), 'INVALID_INPUT'],
      [() => plan({ monthly_fen: fen(0) }), () => plan({ monthly_fen: fen(3000) }), 'PERIOD_NOT_SOLD'],
      [() => plan({ is_active: false }), () => plan({ is_active: true }), 'UNKNOWN_PRICE_GROUP'],
    ] as const) {
      await gone()
      const before = await everyRow(app)
      const { body } = await lin.post(`/orders/${id}/pay`)
      expect(body).toMatchObject({ code, message: '订单所选的套餐或系统已下架或变更，请取消订单后重新选购' })
      expect(await everyRow(app)).toBe(before)
      await back()
    }
    expect((await lin.post(`/orders/${id}/pay`)).status).toBe(200)
  } finally {
    await app.close()
  }
})
