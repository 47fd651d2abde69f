"""The floor's store on the SDK, tuned: the model cut to what is called, without validation, over kept connections."""

import os

os.environ["AWS_DATA_PATH"] = os.path.join(os.path.dirname(__file__), "data")

import boto3
from botocore.config import Config
from sessions import verified

client = boto3.client(
    "dynamodb", config=Config(connect_timeout=1, read_timeout=2, parameter_validation=False, user_agent="floor")
)
batch_get_item, query, transact_write_items = client.batch_get_item, client.query, client.transact_write_items
