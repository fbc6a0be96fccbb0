import { height } from './line-chart'
import { Bar } from './states'

/** As high as the chart that comes. */
const chartRoom = height + 44

export const ChartWaiting = () => <Bar $height={chartRoom} />
