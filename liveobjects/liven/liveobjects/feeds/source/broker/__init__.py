"""Sources from message brokers: MQTT and NATS. Each connection has a thread of its own, and a bounded inbox.

The libraries are extras (`pip install 'liven[mqtt]'`). Start with `broker_stream`.
"""
