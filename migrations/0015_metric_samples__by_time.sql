-- Old samples are deleted by time. They come in the order of time, so the smallest kind of index finds them.
create index metric_samples_at_idx on metric_samples using brin (at);
